package import AuthHubPrimitives
package import Platform

/// The authorization request of the code grant (RFC 6749 §4.1.1) with PKCE (RFC 7636), or of the implicit grant (§4.2.1) if the
/// provider's profile says so: a URL to open, and the pending sign-in that accepts its callback.
package struct AuthorizationRequest: Sendable {
    /// The URL of the server's sign-in page for this request.
    package let url: String
    /// The pending sign-in, which checks the callback.
    package let pending: PendingAuthorization
    /// The authorization endpoint, without the parameters.
    let endpoint: String
    /// The parameters of the request, which are in the URL or pushed.
    let parameters: FormParameters

    private static let longestLifetime = Duration.seconds(365 * 86_400)

    /// Creates a request with a new `state`, a new code verifier, and a new `nonce` if the scope has `openid`.
    ///
    /// - Parameters:
    ///   - redirectURI: The redirect URI exactly as registered, or a loopback URI with its port.
    ///   - requestedClasses: The authentication context classes of which the sign-in should meet one, the preferred first (OpenID Connect
    ///     Core 1.0 §3.1.2.1, RFC 9470 §4). They replace those of the provider's profile. If the claims require classes, too, the request
    ///     has only the classes that are in both lists.
    ///   - requestedAge: The maximum time since the user signed in, in seconds; 0 requests a new sign-in. If the profile's value is lower,
    ///     the request has that value.
    ///   - requestedClaims: The claims to request by name. They replace those of the provider's profile.
    ///   - resources: The APIs that the tokens are for (RFC 8707 §2.1).
    ///   - authorizationDetails: The requested access in detail (RFC 9396 §3).
    ///   - parameters: Additional parameters, such as `prompt` or `login_hint`, but none that the request itself sets. They replace those
    ///     of the provider's profile.
    ///   - lifetime: How long the callback is accepted: 10 minutes by default, a year at most.
    /// - Throws: ``OAuthError``: `.misuse` if the client ID is empty, a class or the age is unusable, a parameter is one that the request
    ///   sets, or the client lacks the secret or the key it needs; `.configuration` if the server's endpoints are unknown or unusable, if
    ///   the query of the authorization endpoint sets a parameter of the request, if the server does not support S256 (RFC 9700 §4.8), if
    ///   this client cannot authenticate there, or if the scope has `openid` and ID tokens could not be verified; `.unconfirmedEndpoints`
    ///   if the server's metadata names the authorization and token endpoints on different origins and does not promise `iss` (RFC 9700
    ///   §4.4), unless one of them was set by the program.
    package init(
        to server: ProviderProfile,
        client: OAuthClient,
        redirectURI: String,
        scope: Scope,
        acrValues requestedClasses: [String] = [],
        maximumAge requestedAge: Int? = nil,
        claims requestedClaims: ClaimsRequest = ClaimsRequest(),
        resources: [ResourceIndicator] = [],
        authorizationDetails: AuthorizationDetails? = nil,
        parameters: FormParameters = [:],
        at now: Date,
        lifetime: Duration = .seconds(600)
    ) throws(OAuthError) {
        guard !client.id.isEmpty else { throw OAuthError(.misuse, "the client ID is empty") }
        try Self.check(parameters, acrValues: requestedClasses, maximumAge: requestedAge)
        try requestedClaims.check()
        guard requestedClaims.isEmpty || scope.contains("openid") else {
            throw OAuthError(.misuse, "claims are requested, but the scope has no openid; add it")
        }
        // A resource's challenge can be stricter than the configuration, but not less strict.
        let usualClasses = requestedClaims.requiredContextClasses
        let acrValues = usualClasses.isEmpty ? requestedClasses : requestedClasses.filter(usualClasses.contains)
        guard acrValues.isEmpty == requestedClasses.isEmpty else {
            throw OAuthError(
                .misuse, "the resource requires an authentication context class that the requested claims do not allow")
        }
        let claims = acrValues.isEmpty ? requestedClaims : requestedClaims.withoutContextClass
        let requiredClasses = acrValues.isEmpty ? usualClasses : acrValues
        let usualAge = try Self.maximumAge(in: server.authorizationParameters)
        let maximumAge = requestedAge.map { min($0, usualAge ?? $0) }
        let response = try ExpectedResponse(from: server, to: redirectURI)
        let endpoint = try server.url(of: .authorization)
        let tokenEndpoint = response.type.hasCode ? try server.url(of: .token) : ""
        let quirks = server.quirks
        if server.metadata?.supportsS256 == false, response.type.hasCode, quirks.authorization.codeChallenge.isSent {
            throw OAuthError(.configuration, "the server does not support PKCE with S256, which is required", underlying: UnusableServer())
        }
        try MixUpDefence.check(server)
        if response.type.hasCode {
            // Fails before the user is asked for anything: a code that the client cannot exchange is useless.
            _ = try ClientAuthentication(client, at: server)
        }
        let verifier = CodeVerifier.random()
        let state = Base64URL.encode(randomBytes(count: 32))
        if response.type.hasIDToken, IDTokenExpectation(scope: scope, client: client, at: server) == nil {
            throw OAuthError(
                .configuration,
                "an ID token in the callback needs the scope openid, and a provider with an issuer and a key set that can verify it")
        }
        let hasNonce = scope.contains("openid") && (response.type.hasCode || response.type.hasIDToken)
        let nonce = hasNonce ? Base64URL.encode(randomBytes(count: 32)) : nil
        var query: FormParameters = ["response_type": response.type.rawValue, "client_id": client.id]
        if response.type.hasCode || !server.quirks.authorizationResponses.omitsRedirectURIIfATokenIsRequested {
            query.append("redirect_uri", redirectURI)
        }
        query.append("state", state)
        if response.type.hasCode, let challenge = quirks.authorization.codeChallenge.challenge(of: verifier) {
            query.append("code_challenge", challenge)
            query.append("code_challenge_method", "S256")
        }
        if response.mode != response.type.defaultMode { query.append("response_mode", response.mode.rawValue) }
        if !scope.isEmpty { query.append(quirks.authorization.scopeName, scope.names.joined(separator: server.scopeSeparator)) }
        if let nonce { query.append("nonce", nonce) }
        if !acrValues.isEmpty { query.append("acr_values", acrValues.joined(separator: " ")) }
        if let maximumAge { query.append("max_age", String(maximumAge)) }
        if !claims.isEmpty { query.append("claims", String(decoding: claims.json.serialized(), as: UTF8.self)) }
        query.append(resources: resources, details: authorizationDetails)
        let usual = server.authorizationParameters.parameters.filter { parameter in
            !(parameter.name == "acr_values" && !acrValues.isEmpty) && !(parameter.name == "max_age" && maximumAge != nil)
                && !(parameter.name == "claims" && !claims.isEmpty) && parameters[parameter.name] == nil
        }
        for parameter in usual + parameters.parameters {
            guard query[parameter.name] == nil else { throw Self.misuse(of: parameter.name, "is already set by the request") }
            query.append(parameter.name, parameter.value)
        }
        let sentMaximumAge = try Self.maximumAge(in: query)
        try IDTokenExpectation.check(
            scope, for: client, at: server, isRequired: !requiredClasses.isEmpty || !claims.requiredSubjects.isEmpty, now: now)
        let renamed = quirks.requests.renamed(query)
        for parameter in quirks.requests.renamed(parameters).parameters where renamed.values(named: parameter.name).count > 1 {
            throw Self.misuse(of: parameter.name, "is already set by the request")
        }
        try EndpointQuery.check(
            endpoint, "authorization endpoint", holdsNoneOf: renamed.parameters.map(\.name) + Self.namesOfRequests)
        self.endpoint = endpoint
        self.parameters = query
        url = EndpointQuery.url(endpoint, adding: renamed)
        pending = PendingAuthorization(
            state: Secret(state),
            nonce: nonce.map(Secret.init),
            verifier: verifier,
            clientID: client.id,
            redirectURI: redirectURI,
            tokenEndpoint: tokenEndpoint,
            issuer: server.responseIssuer ?? server.issuer,
            issuerIsPromised: server.metadata?.promisesIssuerInResponse ?? false,
            soleOrigin: MixUpDefence.soleOrigin(at: server, namesIssuer: true, beginningAt: \.authorization),
            scope: scope,
            maximumAge: sentMaximumAge,
            acrValues: requiredClasses,
            subjects: claims.requiredSubjects,
            response: response,
            expiresAt: now.addingTimeInterval(min(lifetime, Self.longestLifetime) / .seconds(1)))
    }

    /// Reads the `max_age` in a request. A value that cannot be compared with `auth_time` would not be checked.
    private static func maximumAge(in query: FormParameters) throws(OAuthError) -> Int? {
        guard let text = query["max_age"] else { return nil }
        guard text.utf8.allSatisfy(\.isASCIIDigit), let age = Int(text) else {
            throw OAuthError(.misuse, "max_age must be a whole number of seconds, written in digits")
        }
        return age
    }
}
