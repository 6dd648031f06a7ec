public import AuthHubPrimitives
package import HTTPTypes

extension ClientIDDocument {
    /// A property of a document that servers may accept, but that is probably a mistake.
    public enum Warning: Sendable, Hashable, CaseIterable {
        /// The URL has a query, which not every server accepts.
        case urlHasQuery
        /// The document is larger than 5 KiB; servers need not read more.
        case isLarge
        /// A redirect URI uses https and a different host than the document, so that someone else may receive the responses.
        case redirectsElsewhere
    }

    private static let usualSizeLimit = 5 * 1024

    /// Returns the properties of a document that are probably mistakes.
    ///
    /// - Parameter address: The URL where you publish it: the client ID.
    public static func warnings(about document: Secret<[UInt8]>, at address: String) -> Set<Warning> {
        var warnings: Set<Warning> = []
        if address.utf8.contains(UInt8(ascii: "?")) { warnings.insert(.urlHasQuery) }
        if document.reveal().count > usualSizeLimit { warnings.insert(.isLarge) }
        let redirectURIs = (try? JSONValue(strict: document.reveal()))?["redirect_uris"]?.array?.compactMap(\.string) ?? []
        let origin = Origin(url: address)
        if redirectURIs.compactMap({ Origin(url: $0) }).contains(where: { $0.scheme == "https" && $0 != origin }) {
            warnings.insert(.redirectsElsewhere)
        }
        return warnings
    }

    /// Returns what is wrong with the response that publishes a document; nil if servers accept it.
    package static func problem(of response: HTTPResponse) -> String? {
        guard response.status == .ok else {
            let advice = response.status.kind == .redirection ? "; servers do not follow redirects" : ""
            return "its URL returns the status \(response.status.code) instead of 200\(advice)"
        }
        guard let type = response.headerFields.mediaType, type == "application/json" || type.hasSuffix("+json") else {
            return "its Content-Type is not application/json"
        }
        return nil
    }

    /// Creates the document to publish for a client. The client uses the URL as its client ID.
    ///
    /// If the metadata has no authentication method, the document has `none`; without it, servers would assume a secret.
    ///
    /// - Parameters:
    ///   - metadata: The client's metadata, including its redirect URIs, and its public keys if it authenticates with them.
    ///   - address: The URL where you publish the document.
    ///   - transport: Which URLs are allowed. Servers on other machines only accept https URLs.
    /// - Returns: The document as JSON, to be served with the media type `application/json` and without a redirect.
    /// - Throws: ``OAuthError`` with `.misuse` that names the problem if servers would reject the document or its URL.
    public static func document(
        of metadata: ClientMetadata, at address: String, transport: TransportPolicy = .httpsOnly
    ) throws(OAuthError) -> Secret<[UInt8]> {
        var metadata = metadata
        metadata.tokenEndpointAuthenticationMethod = metadata.tokenEndpointAuthenticationMethod ?? ClientAuthenticationMethod.none
        try metadata.check()
        var members = JSONObject()
        members["client_id"] = .string(address)
        for member in metadata.members.members { members[member.name] = member.value }
        let document = Secret(JSONValue.object(members).serialized(indented: true))
        let problems = problems(of: document, at: address, transport: transport)
        guard problems.isEmpty else {
            let words = Problem.allCases.filter(problems.contains).map(\.explanation).joined(separator: "; ")
            throw OAuthError(.misuse, "the client metadata document: \(words)")
        }
        return document
    }
}

extension ClientIDDocument.Problem {
    /// The problem, in words.
    package var explanation: String {
        switch self {
        case .urlIsNotHTTPS: "its URL must be https, without user information"
        case .urlHasNoPath: "its URL must have a path"
        case .urlHasDotSegments: "the path of its URL must not have dot segments"
        case .urlHasFragment: "its URL must not have a fragment"
        case .isNotObject: "it is not a JSON object"
        case .namesAnotherClient: "its client_id is not its URL"
        case .authenticatesBySharedSecret: "its token_endpoint_auth_method requires a secret, which a published document cannot have"
        case .holdsSecret: "it contains a client secret"
        }
    }
}

extension ClientIDDocument.Warning {
    /// The warning, in words.
    package var explanation: String {
        switch self {
        case .urlHasQuery: "its URL has a query, which not every server accepts"
        case .isLarge: "it is larger than 5 KiB, which not every server reads"
        case .redirectsElsewhere: "a redirect URI is on a different host than the document"
        }
    }
}
