package import AuthHub
import AuthHubTesting
import CredentialStorage
package import HTTPLoading
import HTTPTypes
import Measuring
import OAuthProtocol

extension OAuthSession {
    package static let benchmarkToken = "ghu_benchmark0123456789012345678901234"

    /// A session that has signed in at a scripted server, and keeps a token that does not end.
    ///
    /// - Parameters:
    ///   - api: The origin that gets the token.
    ///   - transport: What carries the requests to it.
    package static func signedIn(api: String, transport: any Transport) async throws -> OAuthSession {
        let browser = ScriptedBrowser { url in
            .callback("http://127.0.0.1:49152/callback?code=benchmark-code&state=\(BenchmarkPage.state(in: url))")
        }
        var server = ProviderProfile(
            name: "benchmark", displayName: "Benchmark",
            endpoints: Endpoints(authorization: "http://127.0.0.1:2/authorize", token: "http://127.0.0.1:2/token"))
        server.transport = .insecureHTTPOnLoopbackForDevelopment
        server.accountEndpoint = "\(api)/user"
        let session = OAuthSession(
            server: server,
            client: OAuthClient(id: "benchmark"),
            browser: browser,
            store: MemoryCredentialStore(),
            surroundings: Surroundings(transport: TokenAnswering(others: transport)))
        try await session.signIn()
        return session
    }
}

/// Plays the token endpoint; hands on what is for others.
private struct TokenAnswering: Transport {
    let others: any Transport

    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        guard request.head.method == .post else { return try await others.send(request) }
        let body = #"{"access_token":"\#(OAuthSession.benchmarkToken)","token_type":"bearer","scope":"repo"}"#
        return LoadResponse(
            HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]), body: .bytes(Array(body.utf8)))
    }
}
