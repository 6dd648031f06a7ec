import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Testing

/// The meaning of each token endpoint error for a refresh (RFC 6749 §5.2): whether the user is signed out, and who has to act.
struct RefreshErrorsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: ScriptedAnswer
        let code: SessionError.Code
        let whoHasToAct: SessionError.Party
        var isSignedOut = false

        init(
            _ error: String, _ code: SessionError.Code, _ whoHasToAct: SessionError.Party, isSignedOut: Bool = false,
            status: HTTPResponse.Status = .badRequest
        ) {
            testDescription = "TR48 \(error), \(status.code)"
            answer = .json(["error": .string(error)], status: status)
            self.code = code
            self.whoHasToAct = whoHasToAct
            self.isSignedOut = isSignedOut
        }

        init(_ status: Int, _ code: SessionError.Code, _ whoHasToAct: SessionError.Party, headers: HTTPFields = [:]) {
            testDescription = "\(status) without a word"
            answer = .status(HTTPResponse.Status(code: status), headers: headers)
            self.code = code
            self.whoHasToAct = whoHasToAct
        }
    }

    @Test(arguments: [
        Row("invalid_grant", .signInNeeded, .user, isSignedOut: true),
        Row("invalid_grant", .signInNeeded, .user, isSignedOut: true, status: .ok),
        Row("invalid_grant", .unreachable, .server, status: .internalServerError),
        Row("invalid_grant", .unreachable, .network, status: .tooManyRequests),
        Row("invalid_client", .unreachable, .network, status: .serviceUnavailable),
        Row("access_denied", .unreachable, .server, status: .badGateway),
        Row("slow_down", .unreachable, .network, status: .tooManyRequests),
        Row("access_denied", .denied, .user),
        Row("invalid_client", .serverRejected, .program, status: .unauthorized),
        Row("invalid_request", .serverRejected, .program),
        Row("invalid_scope", .serverRejected, .program),
        Row("invalid_target", .serverRejected, .program),
        // TR55: the access token stays, and the user signs in when it has expired.
        Row("unauthorized_client", .signInNeeded, .user),
        Row("unsupported_grant_type", .signInNeeded, .user),
        Row("server_error", .unreachable, .server),
        Row("temporarily_unavailable", .unreachable, .network, status: .serviceUnavailable),
        Row("out_of_cheese", .serverRejected, .server),
        Row(401, .serverRejected, .program, headers: [.wwwAuthenticate: "Basic realm=\"tokens\""]),
        Row(400, .serverMisbehaved, .server),
        Row(429, .unreachable, .network),
        Row(500, .unreachable, .server),
        Row(503, .unreachable, .network),
    ])
    func `TR55: only a revoked grant signs out, and each error says who must act`(row: Row) async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn(.manual)
        let scripted = RoutedTransport([(.any, row.answer)])
        setting.server.configure { $0.atToken = { request throws(LoadError) in try await scripted.send(request) } }
        let failure = await #expect(throws: SessionError.self) { try await session.refresh() }
        #expect(failure?.code == row.code)
        #expect(failure?.whoHasToAct == row.whoHasToAct)
        #expect(try await setting.store.accounts().isEmpty == row.isSignedOut)
        if case .signedOut = session.state {
            #expect(row.isSignedOut)
        } else {
            #expect(!row.isSignedOut)
        }
    }
}
