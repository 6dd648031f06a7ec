public import AuthHubPrimitives
public import CredentialStorage

extension OAuthSession.Settings {
    /// Creates the settings of sessions for an account: its provider, client and scope, and how it signs in.
    ///
    /// - Parameters:
    ///   - account: The account, such as one that an ``AccountBook`` has stored.
    ///   - resources: More origins whose requests may carry the access token, if they are https or loopback.
    ///   - method: How the session gets tokens if no one is signed in. An account whose access belongs to the client itself uses
    ///     ``SignInMethod/clientCredentials`` instead.
    ///   - store: The store of the tokens.
    ///   - policy: Whether requests may open the sign-in page.
    ///   - unauthorizedPolicy: What a request does if its token is rejected and a refresh does not help.
    ///   - timeout: How long the user may take to sign in.
    ///   - dependencies: Network, clock and logger.
    /// - Throws: ``SessionError`` with `.misconfigured` if the account's provider cannot be used.
    public convenience init(
        _ account: AccountSettings,
        resources: Set<Origin> = [],
        method: SignInMethod,
        store: any CredentialStore,
        signIn policy: OAuthSession.SignInPolicy = .onDemand,
        unauthorizedPolicy: OAuthSession.UnauthorizedPolicy = .report,
        timeout: Duration = .seconds(300),
        dependencies: Dependencies
    ) throws(SessionError) {
        self.init(
            server: try account.profile(), client: account.client, scope: account.scope, resources: resources,
            method: account.usesClientCredentials ? .clientCredentials : method, store: store, signIn: policy,
            unauthorizedPolicy: unauthorizedPolicy, timeout: timeout, dependencies: dependencies)
    }
}
