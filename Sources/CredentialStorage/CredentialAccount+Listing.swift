extension CredentialAccount {
    /// The prefix of records that are stored alongside accounts. No server's URL starts with it.
    static let reservedPrefix = "authhub:"

    /// Whether a user can be signed in to the account, so that ``CredentialStore/accounts()`` lists it if it has a record.
    ///
    /// False for servers whose name starts with `authhub:`. They identify records that are stored alongside the accounts, such as the
    /// sign-ins in progress.
    public var isListed: Bool {
        !server.utf8.starts(with: Self.reservedPrefix.utf8)
    }
}
