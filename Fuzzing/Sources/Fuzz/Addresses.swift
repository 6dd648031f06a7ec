import OAuthProtocol

enum Addresses {
    /// Whether the transport policy allows a URL, decided without the library's code.
    static func isUsable(_ url: String, _ transport: TransportPolicy) -> Bool {
        let bytes = Array(url.utf8)
        guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else { return false }
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count >= 3, parts[1].isEmpty else { return false }
        let authority = parts[2].prefix { $0 != "?" }
        guard !authority.isEmpty, !authority.contains("@"), !authority.contains("\\") else { return false }
        switch parts[0].lowercased() {
        case "https:": return true
        case "http:":
            let host = authority.lowercased()
            let isHere = ["127.", "localhost", "[::1]"].contains { host.hasPrefix($0) }
            return transport == .insecureHTTPOnLoopbackForDevelopment && isHere
        default: return false
        }
    }
}
