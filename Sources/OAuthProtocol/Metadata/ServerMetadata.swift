public import AuthHubPrimitives
public import HTTPTypes

/// What an authorization server says about itself (RFC 8414 §2, OpenID Connect Discovery 1.0 §3).
///
/// Its members have typed properties where they are of use; all are in ``members`` as they came.
public struct ServerMetadata: Sendable {
    /// As the document writes it: what `iss` is compared with.
    public let issuer: String
    /// Those that are usable; https unless the issuer's policy excepts loopback.
    public let endpoints: Endpoints
    /// All members, those unknown here included. None of them is checked: the typed properties are.
    public let members: JSONObject
    /// What of the document was passed over, and why; in the order of its members.
    public let diagnostics: [MetadataDiagnostic]

    /// The most bytes that a metadata document may have.
    public static let sizeLimit = 256 * 1024

    /// Reads a metadata document.
    ///
    /// A member of the wrong type counts as absent, and so does an endpoint that is no usable URL; ``diagnostics`` tells of both. Whether an
    /// endpoint is there is asked when it is needed (``ProviderProfile/url(of:)``). An issuer that is not the asked one refuses the
    /// whole document (RFC 8414 §3.3); the one leniency is a slash at the end of an issuer without a path. `signed_metadata` is ignored
    /// whole.
    ///
    /// - Parameter template: An issuer with a part in braces that differs by tenant. A document that names the template, or the template with
    ///   the part filled in, is accepted, too.
    /// - Throws: ``OAuthError``: `.invalidResponse` for a status other than 200, more than ``sizeLimit``, or a body that is not strict JSON,
    ///   `.serverRejected` for a status of 5xx or 429, `.securityCheckFailed` for another issuer.
    public init(
        _ head: HTTPResponse, body: Secret<[UInt8]>, of issuer: Issuer, template: String? = nil
    ) throws(OAuthError) {
        let document = try MetadataDocument(
            head, body: body, called: "the metadata document", kinds: Self.kinds, transport: issuer.transport)
        let members = document.members
        guard let named = members["issuer"]?.string else {
            throw OAuthError(.invalidResponse, "the metadata document names no issuer")
        }
        guard issuer.isNamed(named, template: template) else {
            throw OAuthError(
                .securityCheckFailed,
                "requested metadata of \(displayable(issuer.text, limit: 200)), received metadata of \(displayable(named, limit: 200))")
        }
        var endpoints = Endpoints()
        for name in Endpoints.Name.allCases {
            endpoints[name] = members[name.rawValue]?.string.flatMap { issuer.transport.allows($0) ? $0 : nil }
        }
        self.init(issuer: named, endpoints: endpoints, members: members, diagnostics: document.diagnostics)
    }

    init(issuer: String, endpoints: Endpoints, members: JSONObject, diagnostics: [MetadataDiagnostic]) {
        self.issuer = issuer
        self.endpoints = endpoints
        self.members = members
        self.diagnostics = diagnostics
    }
}

extension ServerMetadata {
    /// The registered members whose types are held against the registry.
    private static let kinds: [String: MetadataDocument.Kind] = {
        var kinds: [String: MetadataDocument.Kind] = ["signed_metadata": .signedMetadata, "mtls_endpoint_aliases": .object]
        for name in Endpoints.Name.allCases { kinds[name.rawValue] = .endpoint }
        for name in Member.texts { kinds[name.rawValue] = .texts }
        for name in Member.algorithms { kinds[name.rawValue] = .algorithms }
        for name in Member.flags { kinds[name.rawValue] = .flag }
        for name in Member.lines { kinds[name.rawValue] = .text }
        return kinds
    }()

    func texts(_ member: Member) -> [String]? { members[member.rawValue]?.texts }

    /// Without `none`.
    func algorithms(_ member: Member) -> [String]? { texts(member)?.filter { $0 != "none" } }

    func flag(_ member: Member) -> Bool { members[member.rawValue]?.bool ?? false }

    func line(_ member: Member) -> String? { members[member.rawValue]?.string.map { displayable($0, limit: 500) } }
}
