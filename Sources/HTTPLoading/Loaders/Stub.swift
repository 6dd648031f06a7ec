public import Logging
public struct LogLoader: Loader {
    public init(logger: Logger) {}
    public func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse { try await next(request) }
}
public struct RedirectLoader: Loader {
    public init() {}
    public func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse { try await next(request) }
}
