import AsyncHTTPClientTransport
import HTTPLoading
import HTTPTypes
import Platform

/// A transport that identifies the process to the server, for its journal.
struct NamingTransport: Transport {
    var timeLimit: Duration?
    private static let field = HTTPField.Name("X-Process")
    private let number = "\(getpid())"

    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        var request = request
        if let field = Self.field { request.head.headerFields[field] = number }
        if let timeLimit { request.options[AttemptTimeout.self] = min(timeLimit, request.options[AttemptTimeout.self]) }
        return try await NetworkTransport.shared.send(request)
    }
}
