public import HTTPLoading
public import HTTPTypes

/// Says whether a request is the expected one, and what was expected.
public struct RequestMatcher: Sendable, CustomStringConvertible {
    public let description: String
    let matches: @Sendable (LoadRequest) -> Bool

    /// - Parameter description: What is expected, for the message of a test that fails; no secrets.
    public init(_ description: String, matches: @escaping @Sendable (LoadRequest) -> Bool) {
        self.description = description
        self.matches = matches
    }

    /// A method, and a path without its query, or a whole URL without its query.
    public init(_ method: HTTPRequest.Method, _ target: String) {
        self.init("\(method.rawValue) \(target)") { request in
            guard request.head.method == method else { return false }
            let path = Self.path(of: request)
            return target == path || target == "\(request.head.scheme ?? "")://\(request.head.authority ?? "")\(path)"
        }
    }

    public static func get(_ target: String) -> Self { Self(.get, target) }
    public static func post(_ target: String) -> Self { Self(.post, target) }

    /// Any request at all.
    public static let any = Self("any request") { _ in true }

    /// The same, and one thing more.
    public func and(_ condition: String, _ holds: @escaping @Sendable (LoadRequest) -> Bool) -> Self {
        Self("\(description) with \(condition)") { [matches] in matches($0) && holds($0) }
    }

    /// Method and address of a request, without its query, which may hold secrets.
    static func describe(_ request: LoadRequest) -> String {
        "\(request.head.method.rawValue) \(request.head.scheme ?? "")://\(request.head.authority ?? "")\(path(of: request))"
    }

    static func path(of request: LoadRequest) -> String {
        String((request.head.path ?? "/").prefix { $0 != "?" })
    }
}
