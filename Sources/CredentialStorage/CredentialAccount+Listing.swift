extension CredentialAccount {
    /// The prefix of records that are stored alongside accounts. No server's URL starts with it.
    static let reservedPrefix = "authhub:"

    /// Whether users can be signed in to the account, and ``CredentialStore/accounts()`` lists it if it has a record.
    ///
    /// False for servers whose name begins with `authhub:`. Those are records stored alongside the accounts, such as pending sign-ins.
    public var isListed: Bool {
        !server.utf8.starts(with: Self.reservedPrefix.utf8)
    }
}
