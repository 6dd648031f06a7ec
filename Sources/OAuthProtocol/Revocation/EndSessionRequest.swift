public import AuthHubPrimitives

/// Asks a server, in the person's browser, to end its own session with that person (OpenID Connect RP-Initiated Logout 1.0 §2).
///
/// Without an `id_token_hint`, so that servers may ask the person first.
public struct EndSessionRequest: Sendable {
    /// The address of the server's page for this request.
    public let url: String
    /// What the browser's return will be judged by.
    public let pending: PendingEndSession

    private static let namesOfRequests = ["client_id", "post_logout_redirect_uri", "state", "id_token_hint", "logout_hint"]

    /// Makes a request with a fresh `state`.
    ///
    /// - Parameter redirectURI: Where the browser returns to: the exact text that is registered with the client as a
    ///   `post_logout_redirect_uri`, or loopback with its port. Servers that do not know it show a page of theirs and never return (§3).
    /// - Returns: nil where the server has no `end_session_endpoint`.
    /// - Throws: ``OAuthError``: `.misuse` for an empty client id, `.configuration` for an endpoint that is no https URL, or whose query sets a
    ///   parameter of the request.
    public init?(to server: ProviderProfile, client: OAuthClient, returningTo redirectURI: String) throws(OAuthError) {
        guard let endpoint = server.endpoints?.endSession else { return nil }
        guard !client.id.isEmpty else { throw OAuthError(.misuse, "the client ID is empty") }
        guard server.transport.allows(endpoint) else {
            throw OAuthError(.configuration, "the end-session endpoint of \(server.displayName) is not an https URL without fragment")
        }
        try EndpointQuery.check(endpoint, "end-session endpoint", holdsNoneOf: Self.namesOfRequests)
        let state = Base64URL.encode(randomBytes(count: 32))
        let query: FormParameters = ["client_id": client.id, "post_logout_redirect_uri": redirectURI, "state": state]
        url = EndpointQuery.url(endpoint, adding: query)
        pending = PendingEndSession(state: Secret(state), redirectURI: redirectURI)
    }
}

/// A page that waits for the browser's return: the one judge of whether a callback is its own.
public struct PendingEndSession: Sendable {
    private let state: Secret<String>
    private let redirectURI: String
    private var isSpent = false

    init(state: Secret<String>, redirectURI: String) {
        self.state = state
        self.redirectURI = redirectURI
    }

    private static let sizeLimit = 64 * 1024

    /// Whether a URL is this request's return: at its redirect URI, with its `state` and that once. A listener passes over everything else and goes on
    /// waiting.
    public func expects(_ callback: Secret<String>) -> Bool {
        !isSpent && parameters(of: callback.reveal())?["state"].map { Secret($0) == state } ?? false
    }

    /// Judges the browser's return; takes one, once.
    ///
    /// - Throws: ``OAuthError``: `.securityCheckFailed` for another address, a missing, wrong or repeated `state`, or a second return;
    ///   `.serverRejected` for an error of the server.
    public mutating func accept(_ callback: Secret<String>) throws(OAuthError) {
        guard expects(callback), let parameters = parameters(of: callback.reveal()) else {
            throw OAuthError(
                .securityCheckFailed, isSpent ? "the browser has already returned" : "the callback does not belong to this sign-out")
        }
        isSpent = true
        guard let error = parameters["error"], !error.isEmpty else { return }
        throw OAuthError(
            ServerError(code: ServerErrorCode(rawValue: error), explanation: parameters["error_description"], uri: parameters["error_uri"]))
    }

    /// The parameters of a URL that is the redirect URI with a query added and nothing else, and a `state` that occurs once.
    private func parameters(of callback: String) -> FormParameters? {
        guard callback.utf8.count <= Self.sizeLimit, callback.utf8.starts(with: redirectURI.utf8) else { return nil }
        let rest = callback.utf8.dropFirst(redirectURI.utf8.count)
        let separator = redirectURI.utf8.contains(UInt8(ascii: "?")) ? UInt8(ascii: "&") : UInt8(ascii: "?")
        guard rest.first == separator,
            let query = Substring(rest.dropFirst()).split(separator: "#", omittingEmptySubsequences: false).first,
            let parameters = try? FormParameters(decoding: query), parameters.values(named: "state").count == 1
        else { return nil }
        return parameters
    }
}
