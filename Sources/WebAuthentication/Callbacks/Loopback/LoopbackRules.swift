import NIOHTTP1

/// Tells the callback apart from everything else that knocks at the loopback port: favicons, prefetches, port scans, pages that
/// point their own name at this address. No input, no output.
struct LoopbackRules: Sendable {
    /// The port that is bound.
    let port: Int
    /// The path of the redirect URI, compared byte for byte (RFC 9700 §4.1.3).
    let path: String

    /// The longest request target, and the most bytes in all header fields together.
    static let maximumBytes = 64 * 1024
    /// The most parameters of a callback.
    static let maximumParameters = 100

    enum Verdict: Sendable {
        /// It came to the redirect URI; whether it belongs to the sign-in is for the transaction to say.
        case callback(CallbackURL)
        /// Something else; waiting goes on.
        case refuse(ResultPage)
    }

    var redirectURI: String { "http://127.0.0.1:\(port)\(path)" }

    func judge(_ head: HTTPRequestHead) -> Verdict {
        guard isOurs(hosts: head.headers[canonicalForm: "host"]) else { return .refuse(.foreignHost) }
        let target = head.uri
        let targetPath = target.prefix { $0 != "?" && $0 != "#" }
        guard target.utf8.count <= Self.maximumBytes else { return .refuse(.targetTooLong) }
        guard targetPath.utf8.elementsEqual(path.utf8) else { return .refuse(.notFound) }
        guard head.method == .GET else { return .refuse(.methodNotAllowed) }
        guard head.headers.reduce(0, { $0 + $1.name.utf8.count + $1.value.utf8.count }) <= Self.maximumBytes else {
            return .refuse(.headersTooLong)
        }
        guard !isPrefetch(head.headers) else { return .refuse(.notPrefetched) }
        let parameters = target.utf8.count { $0 == UInt8(ascii: "&") } + 1
        guard parameters <= Self.maximumParameters else { return .refuse(.targetTooLong) }
        return .callback(CallbackURL("http://127.0.0.1:\(port)\(target)"))
    }

    /// One `Host`, and one of ours: a page whose own name was pointed at 127.0.0.1 names another (RFC 8252 §8.3).
    private func isOurs(hosts: [Substring]) -> Bool {
        guard hosts.count == 1, let host = hosts.first?.lowercased() else { return false }
        let names = ["127.0.0.1", "localhost"]
        return names.contains { host == "\($0):\(port)" || port == 80 && host == $0 }
    }

    private func isPrefetch(_ headers: HTTPHeaders) -> Bool {
        ["sec-purpose", "purpose"].contains { name in
            headers[name].contains { $0.lowercased().contains("prefetch") }
        }
    }
}
