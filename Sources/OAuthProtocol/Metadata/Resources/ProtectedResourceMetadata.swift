public import AuthHubPrimitives
package import HTTPTypes

/// The metadata of a protected resource (RFC 9728 §2). It names the authorization servers that issue tokens for the resource.
public struct ProtectedResourceMetadata: Sendable {
    /// The resource, exactly as the document writes it. Token requests send this value as the resource indicator (RFC 8707).
    public let resource: String
    /// The authorization servers whose tokens the resource accepts. Values that are not valid issuers are omitted.
    public let authorizationServers: [Issuer]
    /// All members as received, including those without a property. These values are not validated.
    public let members: JSONObject
    /// The members that were ignored, and why.
    package let diagnostics: [MetadataDiagnostic]

    /// Reads a metadata document.
    ///
    /// Wherever the document was found, its `resource` must be the requested one (RFC 9728 §3.3, §7.3).
    ///
    /// - Throws: ``OAuthError``: `.invalidResponse` if the status is not 200, the body is larger than ``ServerMetadata/sizeLimit``, is not
    ///   strict JSON or names no resource; `.securityCheckFailed` if it names another resource.
    package init(
        _ head: HTTPResponse, body: Secret<[UInt8]>, of requested: ResourceIdentifier, at url: String? = nil,
        matching: ResourceMatching = .identical
    ) throws(OAuthError) {
        let document = try MetadataDocument(
            head, body: body, called: "the resource's metadata", at: url, about: "resource", kinds: Self.kinds,
            transport: requested.transport)
        let named = document.subject
        guard requested.isNamed(named, matching) else {
            let place = url.map { " at \(displayable($0, limit: 300))" } ?? ""
            throw OAuthError(
                .securityCheckFailed,
                "requested metadata of \(displayable(requested.text, limit: 200)), received metadata of \(displayable(named, limit: 200))\(place)"
            )
        }
        let servers = document.members["authorization_servers"]?.texts ?? []
        let issuers = servers.compactMap { text in try? Issuer(text, transport: requested.transport) }
        resource = named
        authorizationServers = issuers
        members = document.members
        diagnostics =
            document.diagnostics
            + (issuers.count < servers.count ? [MetadataDiagnostic("authorization_servers", .unusableURL)] : [])
    }

    private static let kinds: [String: MetadataDocument.Kind] = [
        "authorization_servers": .texts, "jwks_uri": .endpoint, "scopes_supported": .texts, "bearer_methods_supported": .texts,
        "resource_signing_alg_values_supported": .algorithms, "resource_name": .text, "resource_documentation": .text,
        "resource_policy_uri": .text, "resource_tos_uri": .text, "tls_client_certificate_bound_access_tokens": .flag,
        "authorization_details_types_supported": .texts, "dpop_signing_alg_values_supported": .algorithms,
        "dpop_bound_access_tokens_required": .flag, "signed_metadata": .signedMetadata,
    ]
}

extension ProtectedResourceMetadata {
    /// The scopes of the resource (`scopes_supported`); nil if the metadata does not list them.
    public var scopes: [String]? { members["scopes_supported"]?.texts }
    /// `bearer_methods_supported`.
    package var bearerMethods: [String]? { members["bearer_methods_supported"]?.texts }
    /// `authorization_details_types_supported` (RFC 9396).
    package var authorizationDetailsTypes: [String]? { members["authorization_details_types_supported"]?.texts }
    /// `dpop_signing_alg_values_supported` (RFC 9449), without `none`.
    package var dpopAlgorithms: [String]? { members["dpop_signing_alg_values_supported"]?.texts?.filter { $0 != "none" } }
    /// Whether tokens must be bound to a key (`dpop_bound_access_tokens_required`).
    package var requiresBoundTokens: Bool { members["dpop_bound_access_tokens_required"]?.bool ?? false }
    /// The name of the resource (`resource_name`) as text that is safe to display, at most 200 characters; nil if the metadata does not
    /// contain it.
    public var name: String? { members["resource_name"]?.displayString.map { displayable($0, limit: 200) } }
    /// `resource_documentation`, cleaned for display.
    package var documentation: String? { members["resource_documentation"]?.displayString.map { displayable($0, limit: 500) } }

    /// Returns the server to request tokens from.
    ///
    /// - Parameter choose: Selects one of several (RFC 9728 §7.6); by default the first.
    /// - Throws: ``OAuthError`` with `.configuration` if the document names no usable server, or `choose` selects none of them.
    package func authorizationServer(
        selecting choose: ([Issuer]) -> Issuer? = { $0.first }
    ) throws(OAuthError) -> Issuer {
        guard !authorizationServers.isEmpty else {
            throw OAuthError(
                .configuration, "\(displayable(resource, limit: 200)) names no usable authorization server", underlying: UnusableServer())
        }
        guard let issuer = authorizationServers.count == 1 ? authorizationServers.first : choose(authorizationServers),
            authorizationServers.contains(issuer)
        else {
            throw OAuthError(
                .configuration,
                "\(displayable(resource, limit: 200)) names \(authorizationServers.count) authorization servers, and none of them was chosen; choose one"
            )
        }
        return issuer
    }
}
