import AuthHubPrimitives

extension ProviderProfile {
    /// Sign in with Apple, for programs that run on a web server.
    ///
    /// The response is a form, which Apple requires if a scope is requested. At the user's first sign-in only, the form contains the user's
    /// name, which is not in the ID token. There is no UserInfo endpoint, and no API accepts the access token. The client secret is a JWT
    /// that the program signs with its key, and that expires after at most six months: ``RenewableClientSecret``. Apple's metadata names
    /// RS256 for ID tokens; the profile accepts ES256, too. Whether Apple checks PKCE challenges is not documented. Documentation: "Sign in
    /// with Apple REST API".
    public static let apple = {
        var profile = Self(
            name: "apple", displayName: "Apple", issuer: "https://appleid.apple.com",
            endpoints: Endpoints(
                authorization: "https://appleid.apple.com/auth/authorize", token: "https://appleid.apple.com/auth/token",
                revocation: "https://appleid.apple.com/auth/revoke", jwks: "https://appleid.apple.com/auth/keys"))
        profile.defaultScope = ["openid", "name", "email"]
        profile.clientAuthentication = .post
        profile.quirks.authorizationResponses.responseMode = .formPost
        profile.quirks.authorizationResponses.userParameter = "user"
        profile.quirks.identity.algorithms = ["RS256", "ES256"]
        profile.quirks.refreshTokens = .kept
        profile.quirks.registration.documentation = "Sign in with Apple REST API (developer.apple.com)"
        profile.quirks.registration.page = "https://developer.apple.com/account/resources/identifiers/list/serviceId"
        profile.quirks.registration.redirectURIs = [.https]
        profile.quirks.registration.secret = .required
        profile.quirks.registration.notes = [
            "The client ID is that of a Services ID.",
            "The secret is a JWT that you sign with your key; it expires after at most six months.",
            "Apple posts the response to the redirect URI, so a program on the user's machine cannot receive it.",
        ]
        return profile
    }()
}
