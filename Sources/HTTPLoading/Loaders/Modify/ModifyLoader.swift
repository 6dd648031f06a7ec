public import HTTPTypes

/// A loader that changes requests before they are passed to the rest of the chain, and responses before they are returned.
///
/// ```swift
/// ModifyLoader(request: { request in request.head.headerFields[.acceptLanguage] = "de" })
/// ModifyLoader(addingMissing: [.userAgent: "example/1.0"])
/// ```
///
/// The closures may modify a request or response, but not replace it with a different one.
public struct ModifyLoader: Loader {
    /// A closure that changes a request before it is sent.
    typealias RequestChange = @Sendable (inout LoadRequest) async throws(LoadError) -> Void
    /// A closure that changes a response. Its second argument is the request that was sent.
    typealias ResponseChange = @Sendable (inout LoadResponse, LoadRequest) async throws(LoadError) -> Void

    private let changeRequest: RequestChange?
    private let changeResponse: ResponseChange?

    /// Creates a loader from closures.
    ///
    /// - Parameters:
    ///   - request: Changes each request once. If it throws an error, nothing is sent and the request fails with that error.
    ///   - response: Changes each response, but not errors. If it throws an error, that error replaces the response, whose body is
    ///     cancelled.
    public init(
        request: (@Sendable (inout LoadRequest) async throws(LoadError) -> Void)? = nil,
        response: (@Sendable (inout LoadResponse, LoadRequest) async throws(LoadError) -> Void)? = nil
    ) {
        changeRequest = request
        changeResponse = response
    }

    /// Creates a loader that adds header fields to requests that have no field with the same name, whatever their origin. Do not add API
    /// keys in this way; set them in a ``ServerEnvironment``, whose fields are never sent to other origins.
    public init(addingMissing fields: HTTPFields) {
        self.init(request: { request in request.head.headerFields.fill(from: fields) })
    }

    /// The position of the loader: ``LoaderPosition/modify``.
    public var position: LoaderPosition? { .modify }

    /// Changes the request, sends it, and changes the response.
    /// Changes the request, sends it, and changes the response.
    ///
    /// - Throws: ``LoadError`` with `.invalidRequest` if a closure replaced the request with a different one; with `.invalidResponse` if a
    ///   closure replaced the response with a newly created one or with the response to a different request.
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
    /// Adds all fields whose names do not occur yet.
    mutating func fill(from others: HTTPFields) {
        let given = Set(map(\.name))
        for field in others where !given.contains(field.name) { append(field) }
    }
}
