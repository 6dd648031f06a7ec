package import AuthHubPrimitives

/// A request, made in the user's browser, to end the server's session of the user (OpenID Connect RP-Initiated Logout 1.0 §2).
package struct EndSessionRequest: Sendable {
    /// The URL of the server's page for this request.
    package let url: String
    /// The pending request, which checks the browser's return.
    package let pending: PendingEndSession

    private static let namesOfRequests = ["client_id", "post_logout_redirect_uri", "state", "id_token_hint", "logout_hint"]

    /// Creates a request with a new `state`.
    ///
    /// - Parameters:
    ///   - redirectURI: The URI that the browser returns to, exactly as registered as a `post_logout_redirect_uri`, or loopback with its
    ///     port. Servers that do not know it show their own page and never return (§3).
    ///   - hint: The ID token of the user to sign out. Without it, servers may ask the user first.
    /// - Returns: nil if the server has no `end_session_endpoint`.
    /// - Throws: ``OAuthError``: `.misuse` if the client ID is empty, `.configuration` if the endpoint is not an https URL, or its query
    ///   sets a parameter of the request.
    package init?(
        to server: ProviderProfile, client: OAuthClient, returningTo redirectURI: String, idTokenHint hint: Secret<String>? = nil
    ) throws(OAuthError) {
        guard let endpoint = server.endpoints?.endSession else { return nil }
        guard !client.id.isEmpty else { throw OAuthError(.misuse, "the client ID is empty") }
        guard server.transport.allows(endpoint) else {
            throw OAuthError(.configuration, "the end-session endpoint of \(server.displayName) must be an https URL without fragment")
        }
        try EndpointQuery.check(endpoint, "end-session endpoint", holdsNoneOf: Self.namesOfRequests)
        let state = Base64URL.encode(randomBytes(count: 32))
        var query: FormParameters = ["client_id": client.id, "post_logout_redirect_uri": redirectURI, "state": state]
        if let hint { query.append("id_token_hint", hint.reveal()) }
        url = EndpointQuery.url(endpoint, adding: query)
        pending = PendingEndSession(state: Secret(state), redirectURI: redirectURI)
    }
}

/// A request to end the session that waits for the browser's return, and the only place where the return is checked.
package struct PendingEndSession: Sendable {
    private let state: Secret<String>
    private let redirectURI: String
    private var isSpent = false

    init(state: Secret<String>, redirectURI: String) {
        self.state = state
        self.redirectURI = redirectURI
    }

    private static let sizeLimit = 64 * 1024

    /// Whether a URL is the return of this request: at its redirect URI, with its `state`, once. A listener ignores everything else and
    /// keeps waiting.
    package func expects(_ callback: Secret<String>) -> Bool {
        !isSpent && parameters(of: callback.reveal())?["state"].map { Secret($0) == state } ?? false
    }

    /// Checks the browser's return, and accepts it once.
    ///
    /// - Throws: ``OAuthError``: `.securityCheckFailed` for another URL, a missing, wrong or repeated `state`, or a second return;
    ///   `.serverRejected` if the server returned an error.
    package mutating func accept(_ callback: Secret<String>) throws(OAuthError) {
        guard expects(callback), let parameters = parameters(of: callback.reveal()) else {
            throw OAuthError(
                .securityCheckFailed,
                isSpent ? "the browser has already returned from the sign-out page" : "the callback does not belong to this sign-out")
        }
        isSpent = true
        guard let error = parameters["error"], !error.isEmpty else { return }
        throw OAuthError(
            ServerError(code: ServerErrorCode(rawValue: error), explanation: parameters["error_description"], uri: parameters["error_uri"]))
    }

    /// Returns the parameters of a URL that is the redirect URI with only a query added, with exactly one `state`.
    private func parameters(of callback: String) -> FormParameters? {
        guard callback.utf8.count <= Self.sizeLimit, callback.utf8.starts(with: redirectURI.utf8) else { return nil }
        let rest = callback.utf8.dropFirst(redirectURI.utf8.count)
        let separator = redirectURI.utf8.contains(UInt8(ascii: "?")) ? UInt8(ascii: "&") : UInt8(ascii: "?")
        guard rest.first == separator,
            let query = Substring(rest.dropFirst()).split(separator: "#", omittingEmptySubsequences: false).first,
            case let parameters = FormParameters(received: query.utf8), parameters.exact("state") != nil
        else { return nil }
        return parameters
    }
}
