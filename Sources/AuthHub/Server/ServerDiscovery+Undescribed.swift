import AuthHubPrimitives
import HTTPTypes
import OAuthProtocol

/// The underlying error if nothing says who issues tokens for a resource.
package struct NoResourceMetadata: Error {
    /// The requested URLs, and what each returned.
    let places: String
}

/// The underlying error if a URL has neither the metadata of an issuer nor that of a resource.
package struct NothingFound: Error {}

/// Resources without metadata, as in the revision 2025-03-26 of MCP: each is its own authorization server.
extension ServerDiscovery {
    /// Returns the protection of a resource that nothing describes: the server at its origin, with default endpoints if that publishes no
    /// metadata, either.
    func undescribed(_ url: String, _ challenges: [TokenChallenge]) async throws(SessionError) -> ResourceProtection {
        guard let origin = Origin(url: url)?.description else {
            throw SessionError(.misconfigured, "the URL of the resource has no origin")
        }
        let issuer = try origin.asIssuer(transport)
        let identifier = try url.asResource(transport)
        let resource: ProtectedResourceMetadata
        do throws(OAuthError) {
            resource = try ProtectedResourceMetadata(
                HTTPResponse(status: .ok),
                body: Self.document(["resource": .string(url), "authorization_servers": [.string(origin)]]),
                of: identifier)
        } catch {
            throw SessionError(error)
        }
        let scope = challenges.reduce(Scope()) { $0.union($1.scope) }
        do throws(SessionError) {
            let server = try await backChannel.metadata(of: issuer, quirks: .init(), needing: [.registration]).metadata
            return ResourceProtection(resource: resource, server: server, challenged: scope, isAssumed: true)
        } catch {
            guard error.code == .misconfigured else { throw error }
            var protection = ResourceProtection(
                resource: resource, server: try Self.defaults(of: issuer), challenged: scope, isAssumed: true)
            protection.hasDefaultEndpoints = true
            return protection
        }
    }

    private static func defaults(of issuer: Issuer) throws(SessionError) -> ServerMetadata {
        do throws(OAuthError) {
            return try ServerMetadata(
                HTTPResponse(status: .ok),
                body: document([
                    "issuer": .string(issuer.text), "authorization_endpoint": .string(issuer.text + "/authorize"),
                    "token_endpoint": .string(issuer.text + "/token"), "registration_endpoint": .string(issuer.text + "/register"),
                    "response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"],
                    "token_endpoint_auth_methods_supported": ["none"],
                ]), of: issuer)
        } catch {
            throw SessionError(error)
        }
    }

    private static func document(_ value: JSONValue) -> Secret<[UInt8]> { Secret(value.serialized()) }
}
