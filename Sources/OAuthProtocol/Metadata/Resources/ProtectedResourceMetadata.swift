public import AuthHubPrimitives
public import HTTPTypes

/// What a protected resource says about itself (RFC 9728 §2): above all, who issues tokens for it.
public struct ProtectedResourceMetadata: Sendable {
    /// As the document writes it: what a token has to be asked for with (RFC 8707).
    public let resource: String
    /// The servers that it takes tokens of, those left out that are no issuers.
    public let authorizationServers: [Issuer]
    /// All members, those unknown here included. None of them is checked: the typed properties are.
    public let members: JSONObject
    /// What of the document was passed over, and why.
    public let diagnostics: [MetadataDiagnostic]

    /// Reads a metadata document.
    ///
    /// Wherever the document was found: it counts only where its `resource` is the one that was asked for (RFC 9728 §3.3, §7.3).
    ///
    /// - Throws: ``OAuthError``: `.invalidResponse` for a status other than 200, more than ``ServerMetadata/sizeLimit``, or a body that is
    ///   not strict JSON or names no resource; `.securityCheckFailed` for another resource.
    public init(
        _ head: HTTPResponse, body: Secret<[UInt8]>, of requested: ResourceIdentifier, matching: ResourceMatching = .identical
    ) throws(OAuthError) {
        let document = try MetadataDocument(
            head, body: body, called: "the resource's metadata", kinds: Self.kinds, transport: requested.transport)
        guard let named = document.members["resource"]?.string else {
            throw OAuthError(.invalidResponse, "the resource's metadata names no resource")
        }
        guard requested.isNamed(named, matching) else {
            throw OAuthError(
                .securityCheckFailed,
                "requested metadata of \(displayable(requested.text, limit: 200)), received metadata of \(displayable(named, limit: 200))")
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
    /// `scopes_supported`; nil where the document does not say, as with all lists here.
    public var scopes: [String]? { members["scopes_supported"]?.texts }
    /// `bearer_methods_supported`.
    public var bearerMethods: [String]? { members["bearer_methods_supported"]?.texts }
    /// `authorization_details_types_supported` (RFC 9396).
    public var authorizationDetailsTypes: [String]? { members["authorization_details_types_supported"]?.texts }
    /// `dpop_signing_alg_values_supported` (RFC 9449), without `none`.
    public var dpopAlgorithms: [String]? { members["dpop_signing_alg_values_supported"]?.texts?.filter { $0 != "none" } }
    /// `dpop_bound_access_tokens_required`: whether tokens have to be bound to a key.
    public var requiresBoundTokens: Bool { members["dpop_bound_access_tokens_required"]?.bool ?? false }
    /// `resource_name`, cleaned for display.
    public var name: String? { members["resource_name"]?.string.map { displayable($0, limit: 200) } }
    /// `resource_documentation`, cleaned for display.
    public var documentation: String? { members["resource_documentation"]?.string.map { displayable($0, limit: 500) } }

    /// The server to ask for tokens.
    ///
    /// - Parameter choose: Picks one where there are several (RFC 9728 §7.6); by default the first. Who returns nil takes none.
    /// - Throws: ``OAuthError`` with `.configuration` where no usable one is named, and where none of the named was picked.
    public func authorizationServer(
        selecting choose: ([Issuer]) -> Issuer? = { $0.first }
    ) throws(OAuthError) -> Issuer {
        guard !authorizationServers.isEmpty else {
            throw OAuthError(.configuration, "\(displayable(resource, limit: 200)) names no usable authorization server")
        }
        guard let issuer = authorizationServers.count == 1 ? authorizationServers.first : choose(authorizationServers),
            authorizationServers.contains(issuer)
        else {
            throw OAuthError(
                .configuration,
                "of the \(authorizationServers.count) authorization servers of \(displayable(resource, limit: 200)), none was chosen")
        }
        return issuer
    }
}
