extension CredentialAccount {
    /// The account of the record that stores the tokens of a sign-out until they are revoked.
    package var signOut: Self {
        Self(server: "\(Self.reservedPrefix)sign-outs:\(server)", clientID: clientID, label: label)
    }
}
