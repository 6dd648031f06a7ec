public import HTTPTypes

/// Changes requests before the rest of a chain sees them, and responses before the loaders in front do.
///
/// ```swift
/// ModifyLoader(request: { request in request.head.headerFields[.acceptLanguage] = "de" })
/// ModifyLoader(addingMissing: [.userAgent: "example/1.0"])
/// ```
///
/// A change is a change, no exchange: another request, or a response made from nothing, in the place of the one it gets is an error.
public struct ModifyLoader: Loader {
    public typealias RequestChange = @Sendable (inout LoadRequest) async throws(LoadError) -> Void
    /// Gets the request that was sent on, too.
    public typealias ResponseChange = @Sendable (inout LoadResponse, LoadRequest) async throws(LoadError) -> Void

    private let changeRequest: RequestChange?
    private let changeResponse: ResponseChange?

    /// - Parameters:
    ///   - request: Called once for each load. What it throws ends the load; nothing is sent.
    ///   - response: Called once for each response, not for errors. What it throws takes the response's place; its body is cancelled.
    public init(request: RequestChange? = nil, response: ResponseChange? = nil) {
        changeRequest = request
        changeResponse = response
    }

    /// Adds header fields where a request has none of the same name, whatever its origin: not for keys, which belong to a
    /// ``ServerEnvironment``.
    public init(addingMissing fields: HTTPFields) {
        self.init(request: { request in request.head.headerFields.fill(from: fields) })
    }

    public var place: LoaderPlace? { .modify }

    /// - Throws: ``LoadError`` with `.invalidRequest` where a change put a request with another id in the place of the one it got;
    ///   `.invalidResponse` where it put a response to no request or to another one there.
    public func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        var changed = request
        try await changeRequest?(&changed)
        guard changed.id == request.id else {
            throw LoadError(
                .invalidRequest, for: request,
                explanation: "the request was replaced with another one; a change may only modify the request that it receives")
        }
        var response = try await next(changed)
        guard let changeResponse else { return response }
        response.request = request.id
        let body = response.body
        do throws(LoadError) {
            try await changeResponse(&response, changed)
            guard response.request == request.id else {
                throw LoadError(
                    .invalidResponse, for: request,
                    explanation: "the response was replaced with another one; a change may only modify the response that it receives")
            }
        } catch {
            body.cancel()
            throw error
        }
        return response
    }
}

extension HTTPFields {
    /// Adds all fields whose name does not occur.
    mutating func fill(from others: HTTPFields) {
        let given = Set(map(\.name))
        for field in others where !given.contains(field.name) { append(field) }
    }
}
