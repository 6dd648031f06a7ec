/// The parts of a URL that an HTTP request carries.
///
/// Kept apart from Foundation's `URL`, which normalises and repairs: what is sent here is what was written, or it is refused.
public struct RequestTarget: Sendable, Hashable {
    /// `http` or `https`; nil where only a path was given.
    public let scheme: String?
    /// Host and port as written, the host in lower case; nil where only a path was given.
    public let authority: String?
    /// Path and query as written, at least `/`.
    public let path: String

    /// - Returns: nil for other schemes, for user information, an empty host, a bad port, control characters, spaces and backslashes.
    public init?(_ url: some StringProtocol) {
        guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else { return nil }
        let text = url.prefix { $0 != "#" }
        if text.hasPrefix("/"), !text.hasPrefix("//") {
            scheme = nil
            authority = nil
            path = String(text)
            return
        }
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
        let scheme = text[..<colon].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let afterScheme = text[text.index(colon, offsetBy: 3)...]
        let authority = afterScheme.prefix { $0 != "/" && $0 != "?" }
        guard Origin(scheme: scheme, authority: authority) != nil else { return nil }
        let rest = afterScheme[authority.endIndex...]
        self.scheme = scheme
        self.authority = authority.lowercased()
        path = rest.hasPrefix("/") ? String(rest) : "/" + rest
    }
}
