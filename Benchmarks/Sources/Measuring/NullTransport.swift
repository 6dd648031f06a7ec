package import HTTPLoading
import HTTPTypes

/// A transport that immediately returns the same response to every request.
package struct NullTransport: Transport {
    package init() {}

    package func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        LoadResponse(HTTPResponse(status: .noContent))
    }
}
