package import AuthHubPrimitives
package import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A request to an endpoint of the authorization server, ready for any HTTP client. Do not follow redirects, and do not send it twice.
package struct BackChannelRequest: Sendable {
    /// Method, URL and header fields. They may contain client credentials: do not log them.
    package let head: HTTPRequest
    /// The body, such as encoded form parameters. It may contain a token, a code or a client secret.
    package let body: Secret<[UInt8]>
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
    }
}

/// Base64 with padding, as HTTP Basic credentials use it (RFC 7617 §2).
func base64(_ bytes: some Sequence<UInt8>) -> String {
    Data(bytes).base64EncodedString()
}
