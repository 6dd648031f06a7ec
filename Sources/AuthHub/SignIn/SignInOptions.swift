public import AuthHubPrimitives
package import OAuthProtocol

/// What one sign-in requests in addition to the session's configuration (OpenID Connect Core 1.0 §3.1.2.1).
///
/// ```swift
/// try await session.signIn(SignInOptions(loginHint: "octocat@example.com", maximumAge: 0))
/// ```
///
/// Options are sent only by sign-ins with a page: the device and client credentials grants have no authorization request.
public struct SignInOptions: Sendable, Hashable {
    /// The name or e-mail address with which the user probably signs in (`login_hint`), which the server can fill in; nil for none.
    public var loginHint: String?
    /// What the server should ask the user (`prompt`): `login`, `consent` or `select_account`, several of them separated by spaces, or
    /// `none` to fail instead of asking; nil to leave it to the server.
    public var prompt: String?
    /// The maximum time since the user last entered their credentials, in seconds (`max_age`); 0 requests a new sign-in, and nil any.
    ///
    /// With the scope `openid`, the time in the ID token (`auth_time`) must meet it, or the sign-in fails.
    public var maximumAge: Int?
    /// The authentication context classes of which the sign-in must meet one, the preferred one first (`acr_values`); empty for any.
    ///
    /// With the scope `openid`, the ID token must name one of them (`acr`), or the sign-in fails.
    public var acrValues: [String]
    /// Additional parameters of the authorization request. They replace those of the provider's profile, but cannot replace those that the
    /// session sets.
    public var parameters: FormParameters

    /// Creates options. By default, they add nothing to a sign-in.
    public init(
        loginHint: String? = nil, prompt: String? = nil, maximumAge: Int? = nil, acrValues: [String] = [], parameters: FormParameters = [:]
    ) {
        self.loginHint = loginHint
        self.prompt = prompt
        self.maximumAge = maximumAge
        self.acrValues = acrValues
        self.parameters = parameters
    }
}

extension SignInOptions {
    /// Checks what a sign-in checks before it shows a page, as far as it does not depend on the session.
    ///
    /// - Throws: ``OAuthError`` with `.misuse`.
    package func check() throws(OAuthError) {
        try AuthorizationRequest.check(SignInNeed(self).requestParameters, acrValues: acrValues, maximumAge: maximumAge)
    }
}
