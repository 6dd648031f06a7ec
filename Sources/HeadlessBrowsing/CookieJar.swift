import HTTPTypes

/// The cookies of one sign-in, by host and path (RFC 6265, as far as servers on loopback use it). They are dropped with the sign-in.
struct CookieJar {
    private struct Key: Hashable {
        let host: String
        let path: String
        let name: String
    }

    private var values: [Key: String] = [:]

    private static let countLimit = 100
    private static let sizeLimit = 8192

    /// Stores the cookies that a response sets.
    mutating func take(_ fields: HTTPFields, host: String) {
        for field in fields[values: .setCookie] where field.utf8.count <= Self.sizeLimit {
            let parts = field.split(separator: ";").map { $0.trimmingSpaces() }
            guard let pair = parts.first, let equals = pair.firstIndex(of: "="), equals != pair.startIndex else { continue }
            var path = "/"
            var isEnded = false
            for attribute in parts.dropFirst() {
                let halves = attribute.split(separator: "=", maxSplits: 1).map { $0.trimmingSpaces() }
                switch (halves.first?.lowercased(), halves.dropFirst().first) {
                case ("path", let value?) where value.hasPrefix("/"): path = String(value)
                case ("max-age", let value?): isEnded = (Int(value) ?? 1) <= 0
                case ("expires", let value?) where value.contains("1970"): isEnded = true
                default: break
                }
            }
            let key = Key(host: host, path: path, name: String(pair[..<equals]))
            if isEnded {
                values[key] = nil
            } else if values.count < Self.countLimit || values[key] != nil {
                values[key] = String(pair[equals...].dropFirst())
            }
        }
    }

    /// Returns the value of a `Cookie` field, with longer paths first.
    func field(host: String, path: String) -> String? {
        let path = String(path.prefix { $0 != "?" })
        let matching = values.filter { $0.key.host == host && path.isBelow($0.key.path) }
        guard !matching.isEmpty else { return nil }
        return matching.sorted { ($1.key.path.count, $0.key.name) < ($0.key.path.count, $1.key.name) }
            .map { "\($0.key.name)=\($0.value)" }.joined(separator: "; ")
    }
}

extension String {
    fileprivate func isBelow(_ folder: String) -> Bool {
        self == folder || hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
    }
}

extension Substring {
    fileprivate func trimmingSpaces() -> Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
