extension CredentialAccount {
    /// The prefix of records that are stored alongside accounts. No server's URL starts with it.
    static let reservedPrefix = "authhub:"

    /// Whether users can sign in to the account. ``CredentialStore/accounts()`` returns only such accounts.
    ///
    /// False if the name of the server begins with `authhub:`. AuthHub uses such names for other records, such as pending sign-ins.
    public var isListed: Bool {
        !server.utf8.starts(with: Self.reservedPrefix.utf8)
    }
}
