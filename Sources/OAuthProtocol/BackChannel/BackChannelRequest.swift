package import AuthHubPrimitives
package import HTTPTypes
package import Platform

/// A request to an endpoint of the authorization server, ready for any HTTP client. Do not follow redirects, and do not send it twice.
package struct BackChannelRequest: Sendable {
    /// Method, URL and header fields. They may contain client credentials: do not log them.
    package private(set) var head: HTTPRequest
    /// The body, such as encoded form parameters. It may contain a token, a code or a client secret.
    package private(set) var body: Secret<[UInt8]>
    /// What the client has yet to sign; nil if it authenticates without a signature.
    private var unsigned: Unsigned?
    /// Secrets that this request does not contain but that the server may include in its errors, such as the token that a refresh replaces.
    var relatedSecrets: [Secret<String>] = []

    /// The maximum size of a response in bytes. A longer response is rejected, so you need not read it to its end.
    package static let responseLimit = 1024 * 1024

    /// - Throws: ``OAuthError`` with `.configuration` if the endpoint is not an https URL, or an http URL on loopback.
    init(
        _ method: HTTPRequest.Method = .post,
        to endpoint: String,
        contentType: String = "application/x-www-form-urlencoded",
        _ fill: (inout HTTPRequest) -> [UInt8]
    ) throws(OAuthError) {
        guard let target = RequestTarget(endpoint), target.scheme != nil else {
            throw OAuthError(.configuration, "an endpoint is not an absolute URL")
        }
        var head = HTTPRequest(method: method, scheme: target.scheme, authority: target.authority, path: target.path)
        head.headerFields[.contentType] = contentType
        head.headerFields[.accept] = "application/json"
        body = Secret(fill(&head))
        self.head = head
    }

    /// Creates a request with parameters and the client's authentication, in the provider's encoding.
    init(
        form parameters: FormParameters, to endpoint: String, as client: ClientAuthentication
    ) throws(OAuthError) {
        try self.init(to: endpoint) { head in
            var parameters = parameters
            client.apply(to: &head, &parameters)
            return client.quirks.body(of: parameters, from: client.clientID, in: &head)
        }
        unsigned = client.assertion.map { Unsigned(parameters: Secret(parameters), client: client, assertion: $0) }
    }
}

extension BackChannelRequest {
    /// The parts of a request that a client signs.
    private struct Unsigned: Sendable {
        let parameters: Secret<FormParameters>
        let client: ClientAuthentication
        let assertion: ClientAssertion
    }

    /// The tokens with which the client authenticated, which a server might repeat in its errors.
    var sentAssertions: [Secret<String>] { unsigned?.assertion.sent ?? [] }

    /// Returns the request to send. Each has a signature of its own if the client authenticates with one (RFC 7523 §3).
    ///
    /// - Parameter now: The time by the server's clock, as far as it is known.
    /// - Throws: ``OAuthError`` with `.misuse` or `.configuration` if the client cannot sign.
    package func signed(at now: Date) async throws(OAuthError) -> BackChannelRequest {
        guard let unsigned else { return self }
        var request = self
        var parameters = unsigned.parameters.reveal()
        unsigned.client.apply(to: &request.head, &parameters)
        parameters.append("client_assertion_type", ClientAssertion.type)
        parameters.append("client_assertion", try await unsigned.assertion.text(at: now).reveal())
        request.body = Secret(
            unsigned.client.quirks.body(of: parameters, from: unsigned.client.clientID, in: &request.head))
        return request
    }
}

/// Base64 with padding, as HTTP Basic credentials use it (RFC 7617 §2).
func base64(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString()
}
