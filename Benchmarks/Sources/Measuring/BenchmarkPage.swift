/// The page for signing in, for browsers that are scripted.
package enum BenchmarkPage {
    /// The `state` parameter of its URL.
    package static func state(in url: String) -> Substring {
        let query = url.drop { $0 != "?" }.dropFirst()
        return query.split(separator: "&").first { $0.hasPrefix("state=") }?.dropFirst("state=".count) ?? ""
    }
}
