public import CredentialStorage

extension OAuthSession.Configuration {
    /// Creates the configuration for an account's sessions from the account's settings.
    ///
    /// - Parameters:
    ///   - account: The account's settings, such as those that an ``AccountBook`` returns.
    ///   - grant: How the session obtains tokens when no one is signed in. If the account signs in without a user, as with
    ///     ``AccountSettings/usesClientCredentials``, this parameter is ignored.
    ///   - store: The store for the tokens.
    ///   - dependencies: The network, the clock and the logger.
    /// - Throws: ``SessionError`` with `.misconfigured` if the account's provider cannot be used.
    public init(
        _ account: AccountSettings, grant: AuthorizationGrant, store: any CredentialStore, dependencies: Dependencies
    ) throws(SessionError) {
        self.init(
            server: try account.profile(), client: account.client, scope: account.scope,
            grant: try account.grantWithoutPage(dependencies) ?? grant, store: store,
            dependencies: account.guarded(dependencies))
        limitTokens(toResourceOf: account)
    }

    /// Limits the tokens to the resource that the account is for, if it is for one.
    package mutating func limitTokens(toResourceOf account: AccountSettings) {
        guard let resource = account.resource else { return }
        if !account.omitsResourceParameter { target.resources = [resource] }
        // A resource of the first MCP revision has a server without metadata.
        let isDescribed = account.overrides.authorization == nil && account.overrides.token == nil
        if isDescribed, !account.skipsProofKeyCheck, !account.omitsResourceParameter { securityProfile = .mcp }
    }
}
