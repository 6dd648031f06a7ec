public import AuthHubPrimitives
public import HTTPTypes

/// A search for the OpenID provider of an account, `joe@example.com`, or of a web page of the user (OpenID Connect Discovery 1.0 §2,
/// WebFinger of RFC 7033).
public struct IssuerSearch: Sendable, Hashable {
    /// The `acct` or https URI to look up (OpenID Connect Discovery 1.0 §2.1).
    public let resource: String
    /// The URL to GET, always https, without following redirects.
    public let url: String

    private static let relation = "http://openid.net/specs/connect/1.0/issuer"

    /// Creates a search for the text that the user entered.
    ///
    /// - Throws: ``OAuthError`` with `.misuse` if the text is neither an account nor an https URL.
    public init(for typed: String) throws(OAuthError) {
        let text = String(Substring(typed.trimmingOptionalWhitespace.utf8.prefix { $0 != UInt8(ascii: "#") }))
        let account = Self.account(text)
        let page = text.contains("://") ? text : "https://\(text)"
        guard let host = account?.host ?? RequestTarget(page).flatMap({ $0.scheme == "https" ? $0.authority : nil }) else {
            throw OAuthError(.misuse, "the identifier is neither an account such as joe@example.com nor an https URL")
        }
        resource = account.map { "acct:\($0.name)@\($0.host)" } ?? page
        let query: FormParameters = ["resource": resource, "rel": Self.relation]
        url = "https://\(host)/.well-known/webfinger?\(query.encoded(spaces: .percent))"
    }

    /// Reads the issuer in the response. Whether its metadata names the same issuer is checked when the metadata is read.
    ///
    /// - Parameter transport: The URLs that are allowed for the issuer.
    /// - Throws: ``OAuthError`` with `.invalidResponse` if the status is not 200, the body is not a JSON object, or it does not name
    ///   exactly one provider; `.configuration` if the issuer is unusable.
    public func issuer(
        in head: HTTPResponse, body: Secret<[UInt8]>, transport: TransportPolicy = .httpsOnly
    ) throws(OAuthError) -> Issuer {
        // Without the query, which names the user.
        let name = "the WebFinger response of \(url.prefix { $0 != "?" })"
        guard head.status == .ok else {
            throw OAuthError(.invalidResponse, "\(name) has status \(head.status.code)")
        }
        guard body.reveal().count <= BackChannelRequest.responseLimit else {
            throw OAuthError(.invalidResponse, "\(name) is larger than 1 MiB")
        }
        let links = try JSONObject(body.reveal(), of: name)["links"]?.array ?? []
        let named = links.filter { $0["rel"]?.string?.hasSameBytes(as: Self.relation) ?? false }.map { $0["href"]?.string }
        guard let first = named.first, let href = first, named.allSatisfy({ $0?.hasSameBytes(as: href) ?? false }) else {
            throw OAuthError(
                .invalidResponse,
                named.isEmpty
                    ? "\(name) names no provider"
                    : "\(name) names several providers, or none that can be used")
        }
        return try Issuer(href, transport: transport)
    }

    /// Reads an `acct` URI, or a name and a host with nothing else.
    private static func account(_ text: String) -> (name: String, host: String)? {
        let rest = text.utf8.starts(with: "acct:".utf8) ? Substring(text.utf8.dropFirst(5)) : text[...]
        guard let at = rest.utf8.lastIndex(of: UInt8(ascii: "@")) else { return nil }
        let (name, host) = (rest[..<at], rest[rest.utf8.index(after: at)...])
        guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"/?:@".utf8.contains($0) }),
            !host.utf8.contains(UInt8(ascii: ":")), let origin = Origin(url: "https://\(host)"), !host.utf8.contains(UInt8(ascii: "/"))
        else { return nil }
        return (String(name), origin.host)
    }
}
