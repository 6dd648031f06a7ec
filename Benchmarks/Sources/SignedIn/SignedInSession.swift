package import AuthHub
import CredentialStorage
package import HTTPLoading
import HTTPTypes
import OAuthProtocol

extension OAuthSession {
    /// As long as typical signed tokens.
    package static let benchmarkToken = "benchmark" + String(repeating: "a", count: 791)

    /// Returns a session that found its token, which does not expire, in the store.
    ///
    /// It has not signed in: the timer of the token request and the store's report of the new record would run during the measurement, or
    /// after it.
    ///
    /// - Parameters:
    ///   - api: The origin that receives the token.
    ///   - transport: The transport of the requests to it.
    package static func restored(api: String, transport: any Transport) async throws -> OAuthSession {
        let session = OAuthSession(benchmarkConfiguration(api: api, transport: transport, store: .holdingBenchmarkToken))
        guard case .signedIn = try await session.restore() else { throw SessionError(.signInNeeded, "the record was not read") }
        await session.finish()
        return session
    }

    /// Returns settings for sessions at a scripted server.
    package static func benchmarkConfiguration(api: String, transport: any Transport, store: OneRecordStore) -> Configuration {
        var server = ProviderProfile(
            name: "benchmark", displayName: "Benchmark",
            endpoints: Endpoints(authorization: "http://127.0.0.1:2/authorize", token: "http://127.0.0.1:2/token"))
        server.transport = .insecureHTTPOnLoopbackForDevelopment
        server.accountEndpoint = "\(api)/user"
        return OAuthSession.Configuration(
            server: server, client: OAuthClient(id: "benchmark"), grant: .authorizationCode(ConsentingBrowser()), store: store,
            dependencies: Dependencies(transport: TokenAnswering(others: transport)))
    }
}

extension OneRecordStore {
    package static let holdingBenchmarkToken = Self(
        record: Array(
            #"{"format":1,"access_token":"\#(OAuthSession.benchmarkToken)","token_type":"Bearer","issued_at":1800000000000,"scope":"repo"}"#
                .utf8))
}

/// A transport that acts as the token endpoint, and passes on all other requests.
private struct TokenAnswering: Transport {
    let others: any Transport

    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        guard request.head.method == .post else { return try await others.send(request) }
        let body = #"{"access_token":"\#(OAuthSession.benchmarkToken)","token_type":"bearer","scope":"repo"}"#
        return LoadResponse(
            HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]), body: .bytes(Array(body.utf8)))
    }
}
