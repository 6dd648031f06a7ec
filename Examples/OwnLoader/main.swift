// A loader of your own in a chain: this one prints each request with the status of its response.
//
//     authhub serve --persona oidc --port 8080
//     swift run --package-path Examples OwnLoader

import AsyncHTTPClientTransport
import HTTPLoading
import HTTPTypes

struct PrintLoader: Loader {
    func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        let response = try await next(request)
        print("\(request.head.method) \(request.head.path ?? ""): \(response.status)")
        return response
    }
}

let server = try ServerEnvironment(url: CommandLine.arguments.dropFirst().first ?? "http://127.0.0.1:8080")
let chain = try Chain(transport: NetworkTransport.shared) {
    EnvironmentLoader(server)
    RetryLoader()
    RedirectLoader()
    PrintLoader()
}
for path in ["/.well-known/openid-configuration", "/user"] {
    let response = try await chain.load(.get(path))
    response.body.cancel()  // A body that is neither read nor cancelled holds its connection.
}
