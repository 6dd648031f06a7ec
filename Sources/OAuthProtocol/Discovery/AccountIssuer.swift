public import AuthHubPrimitives
public import HTTPTypes

/// Who the issuer of somebody's account is, asked at the account's own host by WebFinger (OpenID Connect Discovery 1.0 §2, RFC 7033).
///
/// What comes out is a name, and nothing more: the metadata of the issuer has to name it, too (``ServerMetadata``).
public struct AccountIssuer: Sendable, Hashable {
    public let issuer: Issuer

    private static let relation = "http://openid.net/specs/connect/1.0/issuer"

    /// Where to ask for an account's issuer.
    ///
    /// - Parameter account: As people write it: `name@host`, or an https URL (§2.1.2).
    /// - Throws: ``OAuthError`` with `.misuse` for what names no host.
    public static func address(for account: String) throws(OAuthError) -> String {
        let resource: String
        let host: Substring
        if account.hasPrefix("https://"), let authority = RequestTarget(account)?.authority {
            (resource, host) = (String(account.prefix { $0 != "#" }), authority[...])
        } else if let at = account.lastIndex(of: "@"), at > account.startIndex, !account.contains("://") {
            let name = account.hasPrefix("acct:") ? account.dropFirst(5) : account[...]
            (resource, host) = ("acct:\(name)", account[account.index(after: at)...])
        } else {
            throw OAuthError(.misuse, "an account is NAME@HOST or an https URL")
        }
        guard Origin(scheme: "https", authority: host) != nil else { throw OAuthError(.misuse, "the account names no host") }
        let query: FormParameters = ["resource": resource, "rel": relation]
        return "https://\(host)/.well-known/webfinger?\(query.encoded(spaces: .percent))"
    }

    /// Reads the answer: the first link of the issuer's relation counts (RFC 7033 §4.4.4).
    ///
    /// - Throws: ``OAuthError``: `.invalidResponse` for a status other than 200, a body that is not strict JSON, and one without a link to an
    ///   issuer; `.configuration` where the link leads to no issuer.
    public init(_ head: HTTPResponse, body: Secret<[UInt8]>, transport: TransportPolicy = .httpsOnly) throws(OAuthError) {
        let document = try MetadataDocument(head, body: body, called: "the account's description", kinds: [:], transport: transport)
        let link = document.members["links"]?.array?.first { $0["rel"]?.string?.hasSameBytes(as: Self.relation) ?? false }
        guard let href = link?["href"]?.string else {
            throw OAuthError(.invalidResponse, "the account's description links to no issuer")
        }
        issuer = try Issuer(href, transport: transport)
    }
}
