extension CredentialAccount {
    private static let signInsPrefix = "authhub:sign-ins:"

    /// What belongs to the account's sign-ins that are under way: their record, and the lease of the one that shows its page.
    ///
    /// Apart from the account itself, because a sign-in lasts minutes, and a refresh must not wait for it.
    package var signIns: Self {
        Self(server: Self.signInsPrefix + server, clientID: clientID, label: label)
    }

    /// Whether ``CredentialStore/accounts()`` tells of the account where it has a record. What is kept beside an account for a short
    /// while is not an account that anyone signed in to.
    public var isListed: Bool {
        !server.utf8.starts(with: Self.signInsPrefix.utf8)
    }
}
