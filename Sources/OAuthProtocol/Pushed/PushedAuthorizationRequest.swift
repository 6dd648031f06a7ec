package import AuthHubPrimitives
package import HTTPTypes
package import Platform

/// An authorization request that is sent over the back channel with the client's authentication (RFC 9126 §2.1).
package struct PushedAuthorizationRequest: Sendable {
    /// The HTTP request.
    package let message: BackChannelRequest
    private let clientID: String
    private let authorizationEndpoint: String

    /// - Throws: ``OAuthError``: `.misuse` if the request belongs to another client, or has a `request_uri` itself (§2.1);
    ///   `.configuration` if the server has no usable endpoint.
    package init(_ request: AuthorizationRequest, client: OAuthClient, at server: ProviderProfile) throws(OAuthError) {
        guard request.parameters["client_id"]?.hasSameBytes(as: client.id) ?? false else {
            throw OAuthError(.misuse, "the authorization request belongs to another client")
        }
        guard request.parameters["request_uri"] == nil else {
            throw OAuthError(.misuse, "a pushed authorization request must not contain a request_uri")
        }
        let endpoint = try server.url(of: .pushedAuthorization)
        let authentication = try ClientAuthentication(client, at: server)
        // The client authentication adds the client ID.
        let rest = request.parameters.parameters.filter { authentication.method == .basic || !$0.name.hasSameBytes(as: "client_id") }
        message = try BackChannelRequest(form: FormParameters(rest), to: endpoint, as: authentication)
        clientID = client.id
        authorizationEndpoint = request.endpoint
    }

    /// Checks the response (RFC 9126 §2.2).
    ///
    /// - Throws: ``OAuthError``: `.serverRejected` if the server returned an error, with its `Retry-After`; `.invalidResponse` if the
    ///   status is neither 201 nor 200, which is reported unless the profile says so, or the response has no `request_uri` or no lifetime
    ///   above 0.
    package func accept(
        _ head: HTTPResponse, body: Secret<[UInt8]>, from server: ProviderProfile, at now: Date
    ) throws(OAuthError) -> PushedAuthorization {
        let members = try ResponseReader(request: message, server: server, now: now).members(of: head, body: body)
        guard [.created, .ok].contains(head.status) else {
            throw OAuthError(.invalidResponse, "the response to the pushed request has status \(head.status.code) instead of 201")
        }
        guard let reference = members["request_uri"]?.string, reference.utf8.count <= 4096, isAbsoluteURI(reference) else {
            throw OAuthError(.invalidResponse, "the response to the pushed request has no usable request_uri")
        }
        guard let lifetime = members["expires_in"]?.number?.double, lifetime > 0, lifetime.isFinite else {
            throw OAuthError(.invalidResponse, "the response to the pushed request has no positive expires_in")
        }
        let query: FormParameters = ["client_id": clientID, "request_uri": reference]
        let isExpected = head.status == .created || server.quirks.responses.acceptsOKForPushedRequests
        return PushedAuthorization(
            irregularities: isExpected ? [] : ["the response to the pushed request has status 200 instead of 201"],
            expiresAt: now.addingTimeInterval(min(lifetime, 2_147_483_648)),
            url: EndpointQuery.url(authorizationEndpoint, adding: server.quirks.requests.renamed(query)))
    }
}

/// A request that the server has stored and that can be opened once (RFC 9126 §4 and §7.3).
package struct PushedAuthorization: Sendable {
    /// What is wrong with the server's response, although it was accepted.
    package let irregularities: [String]
    /// When the server discards the request.
    package let expiresAt: Date
    private let url: String
    private var isSpent = false

    init(irregularities: [String] = [], expiresAt: Date, url: String) {
        self.irregularities = irregularities
        self.expiresAt = expiresAt
        self.url = url
    }

    /// Returns the URL of the sign-in page: the endpoint with only `client_id` and `request_uri`.
    ///
    /// - Throws: ``OAuthError`` with `.misuse` if the page was opened before, or `.expired` if ``expiresAt`` has passed. In both cases, the
    ///   request must be pushed again.
    package mutating func open(at now: Date) throws(OAuthError) -> String {
        guard !isSpent else { throw OAuthError(.misuse, "the pushed request was already used") }
        guard now < expiresAt else { throw OAuthError(.expired, "the pushed request has expired; push it again") }
        isSpent = true
        return url
    }
}
