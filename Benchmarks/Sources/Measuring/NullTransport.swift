package import HTTPLoading
import HTTPTypes

/// Answers every request at once with the same response.
package struct NullTransport: Transport {
    package init() {}

    package func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        LoadResponse(HTTPResponse(status: .noContent))
    }
}
