extension CredentialAccount {
    /// No address of a server begins like this: what does is kept beside accounts.
    static let reservedPrefix = "authhub:"

    /// Whether users can be signed in to the account, and ``CredentialStore/accounts()`` lists it if it has a record.
    ///
    /// False for servers whose name begins with `authhub:`. Those are records stored alongside the accounts, such as pending sign-ins.
    public var isListed: Bool {
        !server.utf8.starts(with: Self.reservedPrefix.utf8)
    }
}
