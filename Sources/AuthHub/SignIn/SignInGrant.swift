import OAuthProtocol
import Platform
import WebAuthentication

/// The result of a sign-in, before anything is stored.
enum SignInGrant: Sendable {
    /// The request that obtains the tokens.
    ///
    /// - Parameter inCallback: The access token in the callback, which is revoked if the sign-in fails; nil if there is none.
    case request(TokenRequest, inCallback: IssuedTokens? = nil)
    /// The tokens have already been issued. Their ID token, if one is expected, has not been verified yet.
    case tokens(TokenResponse, meeting: IDTokenExpectation?, issuedAt: Date, sentAt: Date?)
}

/// The state of a sign-in when the user is done: the grant or an error, and the page that waits for the final result.
struct SignInProgress: Sendable {
    let granted: Result<SignInGrant, SessionError>
    var page: ReceivedCallback?
}

/// Callbacks that follow a sign-in while the user is asked.
struct SignInWatch: Sendable {
    /// Receives the attempt before it shows the page.
    var shows: @Sendable (any WebAuthenticationAttempt) -> Void
    /// Receives the callbacks that arrived and were rejected.
    var ignored: @Sendable (IgnoredCallbacks) -> Void
}

/// One way to obtain a grant. It stores no tokens; the sign-in flow does that for every way.
protocol SignInWay: Sendable {
    /// The endpoints that this way uses, if the server has them.
    var endpoints: Set<Endpoints.Name> { get }

    /// Obtains a grant, usually by asking the user, and returns when it was given or denied.
    ///
    /// Cancelling the task stops the sign-in. Tokens must not get lost: if some may have been issued, the method waits for the response.
    ///
    /// - Parameters:
    ///   - need: What to request in addition to the session's scope.
    ///   - watch: Notified of events during the sign-in.
    /// - Throws: ``SessionError`` if the sign-in failed before there was a page that could show the error.
    func begin(at profile: ProviderProfile, for need: SignInNeed, watch: SignInWatch) async throws(SessionError) -> SignInProgress
}

extension Set<Endpoints.Name> {
    /// Adds the key set if ID tokens will be verified.
    func withKeys(for scope: Scope) -> Self { scope.contains("openid") ? union([.jwks]) : self }
}
