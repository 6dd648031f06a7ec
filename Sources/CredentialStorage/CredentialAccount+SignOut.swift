extension CredentialAccount {
    /// What belongs to a sign-out of the account that the server was not told of yet.
    package var signOut: Self {
        Self(server: "\(Self.reservedPrefix)sign-outs:\(server)", clientID: clientID, label: label)
    }
}
