package import OAuthProtocol

extension ServerDiscovery {
    /// Requests a server's key set, without the cache, to inspect the server.
    ///
    /// - Parameters:
    ///   - url: The URL of the key set, such as the server's `jwks_uri`.
    ///   - resource: The resource that named the server, if any: then only hosts that ``reach`` allows receive requests.
    /// - Throws: ``SessionError``: `.misconfigured` if the URL is not allowed, `.serverMisbehaved` if the response is not a key set,
    ///   `.unreachable` if no response arrives.
    package func keySet(
        at url: String, protecting resource: ProtectedResourceMetadata? = nil
    ) async throws(SessionError) -> KeySetResponse {
        guard transport.allows(url) else { throw SessionError(.misconfigured, "the URL of the key set is not an https URL") }
        let backChannel = resource.map { strangers($0.resource) } ?? backChannel
        let answer = try await backChannel.get(url, accepting: "application/jwk-set+json, application/json")
        do throws(OAuthError) {
            return try KeySetResponse(answer.head, body: answer.body, at: url)
        } catch {
            throw SessionError(error)
        }
    }
}
