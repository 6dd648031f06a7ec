import AuthHubPrimitives
package import HTTPLoading
import HTTPTypes
import Logging

/// The measured chains.
extension Chain {
    /// Returns a chain with only its gate.
    package static func empty(_ transport: any Transport) throws -> Chain {
        try Chain(transport: transport)
    }

    /// Returns a chain of ten loaders, as many as in a long chain; each only touches the response.
    package static func ofTen(_ transport: any Transport) throws -> Chain {
        try Chain(transport: transport, Array(repeating: PassThrough(), count: 10))
    }

    /// Returns a chain as in typical programs: a disabled log, redirects, and an available credential.
    package static func standard(_ transport: any Transport, token: String) throws -> Chain {
        var silent = Logger(label: "benchmark")
        silent.logLevel = .critical
        return try Chain(transport: transport) {
            LogLoader(silent)
            RedirectLoader()
            AuthorizeLoader(StaticAuthorizer(token: token))
        }
    }
}

/// Sends a request through nested functions that do the same work as a chain of ten loaders: the baseline for that chain.
@inline(never)
package func nested(
    _ depth: Int, _ request: LoadRequest, to transport: any Transport
) async throws(LoadError) -> LoadResponse {
    guard depth > 0 else { return try await transport.send(request) }
    var response = try await nested(depth - 1, request, to: transport)
    response.notes.replays += 1
    return response
}

private struct PassThrough: Loader {
    func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        var response = try await next(request)
        response.notes.replays += 1
        return response
    }
}

private struct StaticAuthorizer: Authorizer {
    let authorization: String

    init(token: String) {
        authorization = "Bearer \(token)"
    }

    func covers(_ origin: Origin, path: String, options: RequestOptions) -> Bool { origin.host == "127.0.0.1" }

    func credential(for request: LoadRequest) async throws(LoadError) -> String { authorization }

    func apply(_ credential: String, to head: inout HTTPRequest) throws(LoadError) {
        head.headerFields[.authorization] = credential
    }

    func replacement(
        for credential: String, refusedBy response: HTTPResponse, request: LoadRequest
    ) async throws(LoadError) -> String? { nil }
}
