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
    /// The user name or e-mail address that the server can fill in on the page (`login_hint`); nil for none.
    public var loginHint: String?
    /// What the server should ask the user (`prompt`): `login`, `consent` or `select_account`, or several, separated by spaces. With
    /// `none`, the sign-in fails instead of asking; with nil, the server decides.
    public var prompt: String?
    /// The maximum number of seconds since the user last signed in at the server (`max_age`); 0 means that the user must sign in again, and
    /// nil that there is no limit.
    ///
    /// With the scope `openid`, the sign-in fails unless the time in the ID token (`auth_time`) meets the limit.
    public var maximumAge: Int?
    /// The accepted authentication context classes (`acr_values`), the preferred one first; empty for any.
    ///
    /// With the scope `openid`, the sign-in fails unless the ID token names one of them (`acr`).
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
    /// Checks the options before a page is shown, without what depends on the session.
    ///
    /// - Throws: ``OAuthError`` with `.misuse` if an option is unusable, or a parameter is one that the session sets.
    package func check() throws(OAuthError) {
        try AuthorizationRequest.check(SignInNeed(self).requestParameters, acrValues: acrValues, maximumAge: maximumAge)
    }
}
