public import CredentialStorage

extension OAuthSession.Configuration {
    /// Creates the configuration of sessions for an account, from its provider, client and scope.
    ///
    /// - Parameters:
    ///   - account: The account, such as one that an ``AccountBook`` has stored.
    ///   - grant: How the session obtains tokens when no one is signed in. An account whose access belongs to the client itself uses
    ///     ``AuthorizationGrant/clientCredentials`` instead.
    ///   - store: The store of the tokens.
    ///   - dependencies: The network, the clock and the logger.
    /// - Throws: ``SessionError`` with `.misconfigured` if the account's provider cannot be used.
    public init(
        _ account: AccountSettings, grant: AuthorizationGrant, store: any CredentialStore, dependencies: Dependencies
    ) throws(SessionError) {
        self.init(
            server: try account.profile(), client: account.client, scope: account.scope,
            grant: account.usesClientCredentials ? .clientCredentials : grant, store: store, dependencies: dependencies)
    }
}
