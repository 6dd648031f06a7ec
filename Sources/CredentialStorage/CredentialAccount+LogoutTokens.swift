extension CredentialAccount {
    /// The account for the record of the logout tokens that were accepted. All accounts of a client share it.
    package var logoutTokens: Self {
        Self(server: "\(Self.reservedPrefix)logout-tokens:\(server)", clientID: clientID, label: "")
    }
}
