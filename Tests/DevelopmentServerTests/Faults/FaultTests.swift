import AuthHubPrimitives
import DevelopmentServer
import Testing

@Suite struct FaultTests {
    @Test func `sends scripted responses once, in order, before it reads the request`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let code = try await flow.code()
            flow.server.faults.nextTokenResponse(.status(503, retryAfter: .seconds(7)), .oauthError("temporarily_unavailable"), .html)
            let first = try await flow.exchange(code)
            #expect(first.status == 503 && first.header("Retry-After") == "7")
            #expect(try await flow.exchange(code).json["error"] == "temporarily_unavailable")
            #expect(try await flow.exchange(code).header("Content-Type")?.hasPrefix("text/html") == true)
            #expect(try await flow.exchange(code).status == 200)
        }
    }

    struct Loss: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fault: Fault
        let isCarriedOut: Bool
    }

    @Test(arguments: [
        Loss(testDescription: "the connection drops before the request is processed", fault: .dropConnection, isCarriedOut: false),
        Loss(testDescription: "the connection drops before the response", fault: .dropAnswer, isCarriedOut: true),
        Loss(testDescription: "the response breaks off", fault: .truncated, isCarriedOut: true),
    ])
    func `after a lost response the refresh token is still valid or spent`(row: Loss) async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let tokens = try await flow.tokens()
            flow.server.faults.nextTokenResponse(row.fault)
            await #expect(throws: (any Error).self) { try await flow.refresh(tokens.refresh) }
            #expect(try await flow.refresh(tokens.refresh).status == (row.isCarriedOut ? 400 : 200))
            #expect(flow.server.log.reuseDetected == (row.isCarriedOut ? 1 : 0))
        }
    }

    @Test func `a held request appears in the log and gets its response when it is released`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let tokens = try await flow.tokens()
            flow.server.faults.nextTokenResponse(.hold)
            async let answer = flow.refresh(tokens.refresh)
            await flow.server.log.wait { $0.tokenRequests(grant: "refresh_token") == 1 }
            #expect(flow.server.log.entries.last?.status == nil)
            #expect(flow.server.log.refreshes == 0)
            flow.server.faults.releaseHeldRequests()
            #expect(try await answer.status == 200)
            #expect(flow.server.log.entries.last?.status == 200)
        }
    }

    @Test func `the API can reject or expire access tokens while refresh tokens stay valid`() async throws {
        try await Flow.run(.init(persona: .gitHub)) { flow in
            let first = try await flow.tokens()
            flow.server.faults.revokeAllAccessTokens()
            #expect(try await flow.status(ofAccessToken: first.access) == 401)
            let second = Tokens(try await flow.refresh(first.refresh))
            #expect(try await flow.status(ofAccessToken: second.access) == 200)
            flow.server.faults.expireAllAccessTokens()
            #expect(try await flow.status(ofAccessToken: second.access) == 401)
            flow.server.faults.revokeAllGrants()
            #expect(try await flow.refresh(second.refresh).json["error"] == "bad_refresh_token")
        }
    }

    struct Resource: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let path: String
    }

    @Test(arguments: [
        Resource(testDescription: "as at github.com", path: "/user"),
        Resource(testDescription: "as at a GitHub Enterprise Server", path: "/api/v3/user"),
        Resource(testDescription: "repositories, at the second", path: "/api/v3/user/repos"),
    ])
    func `the API can fail on request, too`(row: Resource) async throws {
        try await Flow.run(.init(persona: .gitHub)) { flow in
            let tokens = try await flow.tokens()
            flow.server.faults.nextAPIResponse(.status(502))
            #expect(try await flow.status(ofAccessToken: tokens.access, at: row.path) == 502)
            #expect(try await flow.status(ofAccessToken: tokens.access, at: row.path) == 200)
            flow.server.faults.nextAPIResponse(.status(502))
            flow.server.faults.clear()
            #expect(try await flow.status(ofAccessToken: tokens.access, at: row.path) == 200)
        }
    }
}
