package import AuthHubPrimitives
package import HTTPTypes
package import JOSE

/// The response of a server's `jwks_uri` (OpenID Connect Discovery 1.0 §3).
package struct KeySetResponse: Sendable {
    package let keys: JSONWebKeySet
    /// The irregularities of an accepted response, as log messages.
    package let irregularities: [String]

    /// The maximum size in bytes.
    private static let sizeLimit = 256 * 1024

    /// - Parameter url: The URL of the key set, for errors.
    /// - Throws: ``OAuthError``: `.serverRejected` for a status of 5xx or 429, `.invalidResponse` unless the response is a key set
    ///   (RFC 7517 §5) with status 200.
    package init(_ head: HTTPResponse, body: Secret<[UInt8]>, at url: String) throws(OAuthError) {
        let name = "the server's key set at \(displayable(url, limit: 300))"
        if let error = OAuthError.unavailable(head, name) { throw error }
        guard head.status == .ok else {
            throw OAuthError(
                .invalidResponse, "the server responded \(head.status.code) instead of its key set at \(displayable(url, limit: 300))")
        }
        let bytes = body.reveal()
        guard bytes.count <= Self.sizeLimit else { throw OAuthError(.invalidResponse, "\(name) is larger than 256 KiB") }
        do {
            keys = try JSONWebKeySet(JSONObject(bytes, of: name))
        } catch let error as JOSEError {
            throw OAuthError(.invalidResponse, "\(name) was rejected: \(error.explanation)", underlying: error)
        } catch let error as OAuthError {
            throw error
        } catch {
            throw OAuthError(.invalidResponse, "\(name) cannot be read", underlying: error)
        }
        irregularities = JSONObject.irregularities(of: bytes, head.headerFields.mediaType, called: name)
    }
}
