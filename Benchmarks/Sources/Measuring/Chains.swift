import AuthHubPrimitives
package import HTTPLoading
import HTTPTypes
import Logging

/// The chains that are measured.
extension Chain {
    /// Its gate alone.
    package static func empty(_ transport: any Transport) throws -> Chain {
        try Chain(transport: transport)
    }

    /// As many loaders as a long chain has; each touches the response, and nothing else.
    package static func ofTen(_ transport: any Transport) throws -> Chain {
        try Chain(transport: transport, Array(repeating: PassThrough(), count: 10))
    }

    /// As programs have it: a log that is off, redirects, and a credential that is at hand.
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

/// The limit for a chain of ten loaders: as many plain functions, each with the same work.
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

    func covers(_ origin: Origin, options: RequestOptions) -> Bool { origin.host == "127.0.0.1" }

    func credential(for request: LoadRequest) async throws(LoadError) -> String { authorization }

    func apply(_ credential: String, to head: inout HTTPRequest) throws(LoadError) {
        head.headerFields[.authorization] = credential
    }

    func replacement(
        for credential: String, refusedBy response: HTTPResponse, request: LoadRequest
    ) async throws(LoadError) -> String? { nil }
}
