public import AuthHubPrimitives
public import WebAuthentication

/// The grant with which a session obtains tokens if it has no valid ones (RFC 6749 §1.3).
public struct AuthorizationGrant: Sendable {
    enum Kind: Sendable {
        case browser(any WebAuthenticator)
        case clientCredentials
        case assertion(AssertionSource)
        case device(DeviceCodePresentation)
        case refreshToken
    }

    let kind: Kind

    /// The authorization code grant: the user signs in on the server's page in a browser, which then redirects to the callback URL (RFC
    /// 6749 §4.1).
    ///
    /// If the provider does not offer this grant, such as AniList for clients without a secret, the callback contains the token instead of
    /// a code (implicit grant, RFC 6749 §4.2).
    public static func authorizationCode(_ browser: any WebAuthenticator) -> Self {
        Self(kind: .browser(browser))
    }

    /// The client credentials grant, for access that does not belong to a user (RFC 6749 §4.4). For services whose client has a secret
    /// or a private key (``OAuthProtocol/OAuthClient/keys``).
    ///
    /// If a request needs a token and the stored one has expired or is rejected, the session requests a new one. The session's policies for
    /// prompting do not apply, because there is no user to ask. ``OAuthSession/refresh()`` requests a new token, too.
    public static let clientCredentials = Self(kind: .clientCredentials)

    /// The JWT bearer grant, for a program that a platform identifies (RFC 7523 §2.1), such as a workload whose token is in a file.
    ///
    /// There is no user to ask, as with ``clientCredentials``. Each new access token needs an assertion, which is used once and never
    /// stored. If the server rejects it, the error is final: the session neither retries nor uses another grant.
    ///
    /// ```swift
    /// let grant = AuthorizationGrant.jwtBearer { Secret(try String(contentsOfFile: "/var/run/secrets/token", encoding: .utf8)) }
    /// ```
    ///
    /// A server that only a ``ResourceSession``'s API has named gets the assertion only if it is the only audience.
    ///
    /// - Parameter assertion: Returns the assertion, a signed JSON Web Token. The session calls this for each token request, so do not
    ///   cache the result.
    public static func jwtBearer(_ assertion: @escaping @Sendable () async throws -> Secret<String>) -> Self {
        Self(kind: .assertion(.program(assertion)))
    }

    /// The identity assertion grant: the user's identity provider vouches for the user, so no page is shown (Identity Assertion JWT
    /// Authorization Grant).
    ///
    /// There is no user to ask, as with ``clientCredentials``. If the server issues no refresh token, both steps are repeated for each new
    /// access token.
    ///
    /// ```swift
    /// let source = IdentityAssertionSource(at: provider, as: clientThere, dependencies: .network) {
    ///     TokenExchange.TypedToken(idToken, .idToken)
    /// }
    /// let grant = AuthorizationGrant.identityAssertion(from: source)
    /// ```
    public static func identityAssertion(from source: IdentityAssertionSource) -> Self {
        Self(kind: .assertion(.identityProvider(source)))
    }

    /// The device authorization grant: the user enters a code in a browser on another device, such as a phone (RFC 8628). For programs on
    /// machines without a browser or a keyboard.
    ///
    /// While the user signs in, the session polls the server. As with a sign-in page, tokens are stored before a caller gets them, and
    /// sessions in other processes wait. The device code is kept only in memory: if the process is killed, the code is lost, and the next
    /// sign-in shows another one.
    ///
    /// ```swift
    /// let grant = AuthorizationGrant.deviceCode { code in
    ///     await screen.show(code)
    /// } dismiss: { code in
    ///     await screen.remove(code)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - show: Displays a code and its URL, and returns when they are visible. To let the user cancel, cancel the task that waits for the
    ///     sign-in.
    ///   - dismiss: Called for each displayed code when it can no longer be used, however the sign-in ended.
    public static func deviceCode(
        show: @escaping @Sendable (DeviceCode) async -> Void,
        dismiss: @escaping @Sendable (DeviceCode) async -> Void = { _ in }
    ) -> Self {
        Self(kind: .device(DeviceCodePresentation(show: show, dismiss: dismiss)))
    }

    /// Only the refresh token grant (RFC 6749 §6): the session uses and refreshes tokens that were adopted, or that another session has
    /// stored. Use it in a web server that signs users in itself, or in a service that acts for users who are not present.
    ///
    /// The session never prompts. Requests without a stored token, and every ``OAuthSession/signIn(_:)``, throw ``SessionError`` with
    /// `.signInNeeded`. A ``ResourceSession``, which signs in by itself, does not accept this grant.
    public static let refreshToken = Self(kind: .refreshToken)

    /// Whether a user has to agree before there is a token.
    var needsPerson: Bool {
        switch kind {
        case .clientCredentials, .assertion: false
        case .browser, .device, .refreshToken: true
        }
    }

    /// The browser that shows pages to the user; nil for grants without one.
    var browser: (any WebAuthenticator)? {
        switch kind {
        case .browser(let browser): browser
        case .clientCredentials, .assertion, .device, .refreshToken: nil
        }
    }

    /// Whether a session with the grant can sign in.
    var signsIn: Bool {
        if case .refreshToken = kind { false } else { true }
    }
}
