public import HTTPLoading
public import HTTPTypes

/// A condition that requests can meet, with a description for messages of failed tests.
public struct RequestMatcher: Sendable, CustomStringConvertible {
    public let description: String
    let matches: @Sendable (LoadRequest) -> Bool

    /// Creates a matcher from a closure.
    ///
    /// - Parameter description: The expected request, for messages of failed tests. The description must not contain secrets.
    public init(_ description: String, matches: @escaping @Sendable (LoadRequest) -> Bool) {
        self.description = description
        self.matches = matches
    }

    /// Creates a matcher for a method, and for either a path or a whole URL, ignoring the query.
    public init(_ method: HTTPRequest.Method, _ target: String) {
        self.init("\(method.rawValue) \(target)") { request in
            guard request.head.method == method else { return false }
            let path = Self.path(of: request)
            return target == path || target == "\(request.head.scheme ?? "")://\(request.head.authority ?? "")\(path)"
        }
    }

    /// Creates a matcher for GET requests to a path or a whole URL, ignoring the query.
    public static func get(_ target: String) -> Self { Self(.get, target) }
    /// Creates a matcher for POST requests to a path or a whole URL, ignoring the query.
    public static func post(_ target: String) -> Self { Self(.post, target) }

    /// A matcher for any request.
    public static let any = Self("any request") { _ in true }

    /// Returns a matcher that requires an additional condition.
    ///
    /// - Parameter condition: The description of the condition, for messages of failed tests.
    public func and(_ condition: String, _ holds: @escaping @Sendable (LoadRequest) -> Bool) -> Self {
        Self("\(description) with \(condition)") { [matches] in matches($0) && holds($0) }
    }

    /// Describes a request by its method and URL, without the query, which may contain secrets.
    static func describe(_ request: LoadRequest) -> String {
        "\(request.head.method.rawValue) \(request.head.scheme ?? "")://\(request.head.authority ?? "")\(path(of: request))"
    }

    static func path(of request: LoadRequest) -> String {
        String((request.head.path ?? "/").prefix { $0 != "?" })
    }
}
