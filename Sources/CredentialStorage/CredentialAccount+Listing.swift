extension CredentialAccount {
    /// No address of a server begins like this: what does is kept beside accounts.
    static let reservedPrefix = "authhub:"

    /// Whether anyone can be signed in to it, and ``CredentialStore/accounts()`` tells of it where it has a record.
    ///
    /// False for servers whose name begins with `authhub:`. Those are records that are kept beside the accounts, such as the sign-ins that
    /// are under way.
    public var isListed: Bool {
        !server.utf8.starts(with: Self.reservedPrefix.utf8)
    }
}
