import AuthHubPrimitives

/// The identifier of an authorization server: an https URL from which the URLs of the server's metadata are derived (RFC 8414 §2, §3).
public struct Issuer: Sendable, Hashable {
    /// The URL, exactly as passed to the initializer.
    public let text: String
    /// The policy for the URLs of the server.
    package let transport: TransportPolicy

    /// Creates an issuer from its URL.
    ///
    /// - Parameters:
    ///   - text: An absolute URL.
    ///   - transport: The policy for the server's URLs. By default, only https is allowed;
    ///     ``TransportPolicy/insecureHTTPOnLoopbackForDevelopment`` also allows http on loopback.
    /// - Throws: ``OAuthError`` with `.configuration` if the URL has a query, a fragment or user information, or a scheme that the policy
    ///   does not allow.
    public init(_ text: String, transport: TransportPolicy = .httpsOnly) throws(OAuthError) {
        guard !text.contains("?"), !text.contains("#"), RequestTarget(text)?.scheme != nil else {
            throw OAuthError(.configuration, "the issuer must be an https URL without query or fragment")
        }
        guard transport.allows(text) else {
            throw OAuthError(.configuration, "the issuer is not https; http is only allowed on loopback, and only if enabled")
        }
        self.text = text
        self.transport = transport
    }

    /// The URLs where metadata may be, in the order in which they are requested.
    ///
    /// RFC 8414 §3.1 inserts the well-known path between host and path; OpenID Connect Discovery §4 appends its own.
    package var metadataURLs: [String] {
        let trimmed = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard let target = RequestTarget(text), let scheme = target.scheme, let authority = target.authority else { return [] }
        let root = "\(scheme)://\(authority)"
        let path = target.path.hasSuffix("/") ? String(target.path.dropLast()) : target.path
        var addresses = ["\(root)/.well-known/oauth-authorization-server\(path)", "\(root)/.well-known/openid-configuration\(path)"]
        if !path.isEmpty { addresses.append("\(trimmed)/.well-known/openid-configuration") }
        // Someone may have entered the URL of a document, which then says what the issuer is.
        return path.contains("/.well-known/") ? [text] + addresses : addresses
    }

    func isNamed(_ other: String, template: String? = nil) -> Bool {
        if other.hasSameBytes(as: text) || template.map({ Self.fits(other, $0) }) ?? false { return true }
        let hasPath = RequestTarget(text)?.path != "/"
        return !hasPath && other.withoutSlash.hasSameBytes(as: text.withoutSlash)
    }
}

extension Issuer {
    /// Whether a string is a template with a part in braces, or the template with letters, digits, `-`, `.` and `_` instead of that part.
    private static func fits(_ other: String, _ template: String) -> Bool {
        if other.hasSameBytes(as: template) { return true }
        let bytes = Array(template.utf8)
        guard let open = bytes.firstIndex(of: UInt8(ascii: "{")), let close = bytes.lastIndex(of: UInt8(ascii: "}")), open < close else {
            return false
        }
        let (front, back, whole) = (bytes[..<open], bytes[(close + 1)...], Array(other.utf8))
        guard whole.count > front.count + back.count, whole.starts(with: front), whole.suffix(back.count).elementsEqual(back) else {
            return false
        }
        return whole[front.count..<(whole.count - back.count)].allSatisfy {
            $0.isASCIILetter || $0.isASCIIDigit || "-._".utf8.contains($0)
        }
    }
}

extension String {
    fileprivate var withoutSlash: Substring { hasSuffix("/") ? dropLast() : self[...] }
}
