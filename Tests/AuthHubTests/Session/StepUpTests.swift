import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Testing

/// If a resource requires more than the token allows, only the program asks the user for it.
struct StepUpTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: HTTPResponse.Status
        let challenge: String
        let need: StepUpRequirement
        /// The parameters of the authorization request.
        let scope: String
        var acrValues = ""
        var maximumAge = ""
    }

    @Test(
        arguments: [
            Row(
                testDescription: "RS05: more scope", status: .forbidden, challenge: #"Bearer error="insufficient_scope", scope="write""#,
                need: StepUpRequirement(scope: ["write"]), scope: "read write"),
            Row(
                testDescription: "RS05: more scope with status 401", status: .unauthorized,
                challenge: #"Bearer error="insufficient_scope", scope="read admin""#, need: StepUpRequirement(scope: ["read", "admin"]),
                scope: "read admin"),
            Row(
                testDescription: "RS05: no scope is named", status: .forbidden, challenge: #"Bearer error="insufficient_scope""#,
                need: StepUpRequirement(), scope: "read"),
            Row(
                testDescription: "RS06: another authentication class", status: .unauthorized,
                challenge: #"Bearer error="insufficient_user_authentication", acr_values="gold silver""#,
                need: StepUpRequirement(acrValues: ["gold", "silver"]), scope: "read", acrValues: "gold silver"),
            Row(
                testDescription: "RS06: a more recent authentication", status: .unauthorized,
                challenge: #"Bearer error="insufficient_user_authentication", max_age="0""#, need: StepUpRequirement(maximumAge: 0),
                scope: "read", maximumAge: "0"),
        ], [UnauthorizedPolicy.report, .signInAgain])
    func `reports the need without a refresh, replay or page, and the next sign-in requests it`(
        row: Row, unauthorizedPolicy: UnauthorizedPolicy
    ) async throws {
        let setting = SessionSetting()
        let session = setting.session(unauthorizedPolicy: unauthorizedPolicy)
        try await session.signIn()
        setting.server.configure {
            $0.apiAnswer = { authorization in
                guard authorization == "Bearer access-1" else { return nil }
                return LoadResponse(
                    HTTPResponse(status: row.status, headerFields: [.wwwAuthenticate: row.challenge]), body: .bytes(Array("why".utf8)))
            }
        }
        let response = try await session.load(.get("https://api.example/"))
        #expect(response.status == row.status)
        #expect(response.stepUpRequirement == row.need)
        #expect(try await response.body.collect(upTo: 100) == Array("why".utf8))
        #expect(setting.server.apiRequests.count == 1)
        #expect(setting.server.tokenRequests == ["authorization_code"])
        #expect(setting.browser.visitedURLs.count == 1)

        try await session.stepUp(try #require(response.stepUpRequirement))
        let page = try #require(setting.browser.visitedURLs.last)
        #expect(parameter("scope", of: page) == row.scope)
        #expect(parameter("acr_values", of: page) == row.acrValues)
        #expect(parameter("max_age", of: page) == row.maximumAge)
        let next = try await session.load(.get("https://api.example/"))
        #expect(next.status == .ok && next.stepUpRequirement == nil)
    }

    @Test func `requests the scopes that were already granted along with the new ones`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        try await session.stepUp(StepUpRequirement(scope: ["write"]))
        try await session.stepUp(StepUpRequirement(scope: ["admin"]))
        #expect(setting.browser.visitedURLs.map { parameter("scope", of: $0) } == ["read", "read write", "read write admin"])
        try await session.signIn()
        #expect(setting.browser.visitedURLs.last.map { parameter("scope", of: $0) } == "read")
    }

    @Test func `a challenge from a server that did not see the token has no effect`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        setting.server.configure {
            $0.apiAnswer = { _ in
                LoadResponse(
                    HTTPResponse(status: .forbidden, headerFields: [.wwwAuthenticate: #"Bearer error="insufficient_scope", scope="all""#]))
            }
        }
        #expect(try await session.load(.get("https://evil.example/")).stepUpRequirement == nil)
        #expect(try await session.load(.get("https://api.example/")).stepUpRequirement == StepUpRequirement(scope: ["all"]))
    }

    @Test func `case 37: callers with the same need share one page`() async throws {
        let gate = Gate()
        let setting = SessionSetting { url in
            if parameter("scope", of: url).contains("write") { await gate.pass() }
            return await consenting(url)
        }
        let session = try await setting.signedIn()
        let ask: @Sendable () async throws -> Int = {
            try await session.stepUp(StepUpRequirement(scope: ["write"]))
            return 0
        }
        let first = startedTask(ask)
        await gate.untilReached()
        let others = (1..<20).map { _ in startedTask(ask) }
        gate.open()
        for task in [first] + others { _ = try await task.value }
        #expect(setting.browser.visitedURLs.count == 2)
    }

    @Test func `a caller that needs more than the shown page requests gets the next page`() async throws {
        let gate = Gate()
        let setting = SessionSetting { url in
            await gate.pass()
            return await consenting(url)
        }
        let session = setting.session()
        let first = Task { try await session.signIn() }
        await gate.untilReached()
        let second = startedTask {
            try await session.stepUp(StepUpRequirement(scope: ["write"], maximumAge: 5))
            return 0
        }
        gate.open()
        try await first.value
        _ = try await second.value
        #expect(setting.browser.visitedURLs.map { parameter("scope", of: $0) } == ["read", "read write"])
        #expect(setting.browser.visitedURLs.map { parameter("max_age", of: $0) } == ["", "5"])
    }

    @Test func `callers that need more while an abandoned page closes get one page`() async throws {
        let gate = Gate()
        let setting = SessionSetting { url in
            if parameter("scope", of: url) == "read" { await gate.pass() }
            return await consenting(url)
        }
        let session = setting.session()
        let first = Task { try await session.signIn() }
        await gate.untilReached()
        first.cancel()
        await #expect(throws: SessionError.self) { try await first.value }
        let second = startedTask {
            try await session.stepUp(StepUpRequirement(scope: ["write"]))
            return 0
        }
        gate.open()
        _ = try await second.value
        #expect(setting.browser.visitedURLs.map { parameter("scope", of: $0) } == ["read", "read write"])
    }

    @Test func `a user who denies more access keeps the existing access`() async throws {
        let setting = SessionSetting { url in
            parameter("scope", of: url) == "read" ? await consenting(url) : .cancelled
        }
        let session = try await setting.signedIn()
        let failure = await #expect(throws: SessionError.self) { try await session.stepUp(StepUpRequirement(scope: ["write"])) }
        #expect(failure?.code == .cancelledByUser)
        #expect(try await session.load(.get("https://api.example/")).status == .ok)
    }
}
