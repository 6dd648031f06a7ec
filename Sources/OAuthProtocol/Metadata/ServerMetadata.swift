public import AuthHubPrimitives
package import HTTPTypes

/// The metadata of an authorization server (RFC 8414 §2, OpenID Connect Discovery 1.0 §3).
///
/// Common members have typed properties; ``members`` contains all members as received.
public struct ServerMetadata: Sendable {
    /// The issuer, exactly as the document writes it. The `iss` of responses is compared with this value.
    public let issuer: String
    /// The endpoints with usable URLs. A URL is usable if it is https, or http on loopback if the issuer's ``TransportPolicy`` allows it.
    public let endpoints: Endpoints
    /// All members as received, including those without a property. These values are not validated.
    public let members: JSONObject
    /// The members that were ignored, and why, in the order of the document.
    package let diagnostics: [MetadataDiagnostic]

    /// The most bytes of a metadata document.
    package static let sizeLimit = 256 * 1024

    /// Reads a metadata document.
    ///
    /// A member of the wrong type counts as absent, and so does an endpoint that is not a usable URL; ``diagnostics`` lists both. A missing
    /// endpoint is an error only when it is needed (``ProviderProfile/url(of:)``). If the issuer is not the requested one, the whole
    /// document is rejected (RFC 8414 §3.3), except for a slash at the end of an issuer without a path. `signed_metadata` is ignored.
    ///
    /// - Parameters:
    ///   - url: The URL of the document, for errors.
    ///   - template: An issuer with a part in braces that differs by tenant. A document that names the template, or the template with the
    ///     part filled in, is accepted, too.
    /// - Throws: ``OAuthError``: `.invalidResponse` if the status is not 200, the body is larger than ``sizeLimit`` or not strict JSON,
    ///   `.serverRejected` if the status is 5xx or 429, `.securityCheckFailed` if the document names another issuer. The underlying error
    ///   is then ``OtherIssuer``, and ``NoMetadataDocument`` for a response that is not a metadata document.
    package init(
        _ head: HTTPResponse, body: Secret<[UInt8]>, of issuer: Issuer, at url: String? = nil, template: String? = nil
    ) throws(OAuthError) {
        let document = try MetadataDocument(
            head, body: body, called: "the metadata document", at: url, about: "issuer", kinds: Self.kinds, transport: issuer.transport)
        let (members, named) = (document.members, document.subject)
        guard issuer.isNamed(named, template: template) else {
            let place = url.map { " at \(displayable($0, limit: 300))" } ?? ""
            throw OAuthError(
                .securityCheckFailed,
                "requested metadata of \(displayable(issuer.text, limit: 200)), received metadata of \(displayable(named, limit: 200))\(place)",
                underlying: OtherIssuer(named, of: issuer))
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

/// The issuer that a metadata document names instead of the requested one.
package struct OtherIssuer: Error {
    package let issuer: String
    package let requested: String
    /// Whether both are spellings of the same URL: they differ at most in a slash at the end, in case, in a port that is the default, or in
    /// the name of this machine, such as `localhost` instead of `127.0.0.1`.
    package let isSameURL: Bool

    /// - Returns: nil if the name is not an issuer.
    init?(_ named: String, of requested: Issuer) {
        guard (try? Issuer(named, transport: requested.transport)) != nil, let own = Origin(url: named),
            let other = Origin(url: requested.text)
        else { return nil }
        let isSameOrigin = own == other || own.isLoopback && other.isLoopback && own.scheme == other.scheme && own.port == other.port
        issuer = named
        self.requested = requested.text
        isSameURL = isSameOrigin && Self.path(of: named) == Self.path(of: requested.text)
    }

    private static func path(of url: String) -> String {
        let path = (RequestTarget(url)?.path ?? "/").lowercased()
        return path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}

extension ServerMetadata {
    /// The registered members whose types are checked.
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

    func line(_ member: Member) -> String? { members[member.rawValue]?.displayString.map { displayable($0, limit: 500) } }
}
