import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Platform
import Synchronization
import Testing

@testable import AuthHub

/// Sessions that take over the tokens of another program.
struct AdoptionTests {
    /// A setting whose server has issued `refresh-1` and `access-1` to another program.
    private static func setting(store: any CredentialStore = MemoryCredentialStore()) async throws -> SessionSetting {
        let elsewhere = SessionSetting()
        let setting = SessionSetting(store: store, server: elsewhere.server)
        try await elsewhere.session().signIn()
        return setting
    }

    @Test(arguments: SharedStore.allCases)
    func `refreshes the adopted refresh token at once, and stores the result for all sessions`(kind: SharedStore) async throws {
        try await kind.using { handle in
            let setting = try await Self.setting(store: handle())
            let session = setting.session(.manual)
            try await session.adopt(refreshToken: Secret("refresh-1"))
            #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token"])
            #expect(try await session.accessToken().value == Secret("access-2"))
            #expect(try await session.accessToken().scope == ["read"])
            let other = SessionSetting(store: handle(), server: setting.server).session(.manual)
            #expect(try await other.accessToken().value == Secret("access-2"))
            try await other.refresh()
            #expect(setting.server.tokenRequests.count == 3)
            #expect(setting.browser.visitedURLs.isEmpty)
            #expect(setting.server.revoked.isEmpty)
        }
    }

    @Test func `keeps the adopted refresh token if the server does not replace it, and the scope that was named`() async throws {
        let setting = try await Self.setting()
        setting.server.configure { $0.sendsRefreshToken = false }
        let session = setting.session(.manual)
        try await session.adopt(refreshToken: Secret("refresh-1"), scope: ["read", "write"])
        #expect(try await session.accessToken().scope == ["read", "write"])
        try await session.refresh()
        #expect(try await session.accessToken().value == Secret("access-3"))
    }

    struct FailingRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var refreshToken = "refresh-1"
        let code: SessionError.Code
        var requests = 1
        let configure: @Sendable (inout RotatingServer.Faults) -> Void
    }

    @Test(arguments: [
        FailingRow(testDescription: "no network", code: .unreachable) {
            $0.atToken = { request throws(LoadError) in throw LoadError(.cannotConnect, for: request) }
        },
        FailingRow(testDescription: "invalid_grant", code: .serverRejected) { $0.atToken = answer(400, #"{"error":"invalid_grant"}"#) },
        FailingRow(testDescription: "invalid_client", code: .serverRejected) { $0.atToken = answer(401, #"{"error":"invalid_client"}"#) },
        FailingRow(testDescription: "a server error", code: .unreachable) { $0.atToken = answer(503, "") },
        FailingRow(testDescription: "no access token", code: .serverMisbehaved) {
            $0.atToken = answer(200, #"{"token_type":"Bearer"}"#)
        },
        FailingRow(testDescription: "a token with a line break", refreshToken: "refresh\n1", code: .misconfigured, requests: 0) { _ in },
        FailingRow(testDescription: "an empty token", refreshToken: "", code: .misconfigured, requests: 0) { _ in },
    ])
    func `a failed adoption changes and revokes nothing, and the refresh token can be used again`(row: FailingRow) async throws {
        let setting = try await Self.setting()
        let earlier = try await setting.store.accounts()
        setting.server.configure(row.configure)
        let session = setting.session(.manual)
        let failure = await #expect(throws: SessionError.self) { try await session.adopt(refreshToken: Secret(row.refreshToken)) }
        #expect(failure?.code == row.code && failure?.refreshTokenIsSpent == false)
        #expect(setting.server.tokenRequests.count == 1 + row.requests)
        #expect(setting.server.revoked.isEmpty)
        #expect(try await setting.store.accounts() == earlier)
        #expect(try await PendingSignIns(of: session.account, in: setting.store, now: { start }).all().isEmpty)
        setting.server.configure { $0 = RotatingServer.Faults() }
        try await session.adopt(refreshToken: Secret("refresh-1"))
        #expect(try await session.accessToken().value == Secret("access-2"))
    }

    @Test func `a failed adoption leaves the account that is signed in as it is`() async throws {
        let setting = try await Self.setting()
        let session = setting.session(.manual)
        try await session.signIn()
        let failure = await #expect(throws: SessionError.self) { try await session.adopt(refreshToken: Secret("unknown")) }
        #expect(failure?.serverError?.code == .invalidGrant)
        #expect(try await session.accessToken().value == Secret("access-2"))
    }

    @Test func `an adoption replaces the credential of the account, as a sign-in does`() async throws {
        let setting = try await Self.setting()
        let session = setting.session(.manual)
        try await session.adopt(try TokenResponse(accessToken: Secret("older"), scope: ["read"]))
        #expect(try await session.accessToken().value == Secret("older"))
        try await session.adopt(refreshToken: Secret("refresh-1"))
        #expect(try await session.accessToken().value == Secret("access-2"))
        #expect(setting.server.revoked.isEmpty)
    }

    @Test func `stores tokens as they are, without a request`() async throws {
        let setting = try await Self.setting()
        let session = setting.session(.manual)
        let end = start.addingTimeInterval(600)
        try await session.adopt(
            try TokenResponse(accessToken: Secret("access-1"), expiresAt: end, refreshToken: Secret("refresh-1"), scope: ["read"]))
        #expect(setting.server.tokenRequests.count == 1)
        let token = try await session.accessToken()
        #expect(token.value == Secret("access-1") && token.expiresAt == end && token.scope == ["read"])
        setting.advance(by: 601)
        #expect(try await session.accessToken().value == Secret("access-2"))
    }

    @Test(arguments: ["", "two words", "line\nbreak", "schön"])
    func `a token response is not created from text that cannot be a token`(text: String) {
        let failure = #expect(throws: OAuthError.self) { try TokenResponse(accessToken: Secret(text)) }
        #expect(failure?.code == .misuse)
    }

    @Test func `the tokens are revoked if the user signs out while the request is sent`() async throws {
        let setting = try await Self.setting()
        let gate = Gate()
        setting.server.configure { $0.afterToken = { () async throws(LoadError) in await gate.pass() } }
        let session = setting.session(.manual)
        let adopting = Task { try await session.adopt(refreshToken: Secret("refresh-1")) }
        await gate.untilReached()
        let signingOut = Task { await session.signOut() }
        var states = session.states.makeAsyncIterator()
        while await states.next() == .signingOut {}
        gate.open()
        let failure = await #expect(throws: SessionError.self) { try await adopting.value }
        #expect(failure?.code == .cancelledByProgram && failure?.refreshTokenIsSpent == true)
        _ = await signingOut.value
        #expect(setting.server.revoked == ["refresh-2", "access-2"])
        #expect(try await setting.store.accounts().isEmpty)
    }

    @Test func `a cancelled caller does not lose the tokens of the response`() async throws {
        let setting = try await Self.setting()
        let gate = Gate()
        setting.server.configure { $0.afterToken = { () async throws(LoadError) in await gate.pass() } }
        let session = setting.session(.manual)
        let adopting = Task { try await session.adopt(refreshToken: Secret("refresh-1")) }
        await gate.untilReached()
        adopting.cancel()
        gate.open()
        try await adopting.value
        #expect(try await session.accessToken().value == Secret("access-2"))
    }

    struct UnstorableRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let replaces: Bool
        let failures: Int
        let revoked: [String]
    }

    @Test(arguments: [
        UnstorableRow(testDescription: "a replaced refresh token, a short outage", replaces: true, failures: 4, revoked: []),
        UnstorableRow(
            testDescription: "a replaced refresh token, a long outage", replaces: true, failures: 100, revoked: ["refresh-2", "access-2"]),
        UnstorableRow(testDescription: "the same refresh token", replaces: false, failures: 100, revoked: []),
    ])
    func `tokens that cannot be stored are revoked only if no other program has them`(row: UnstorableRow) async throws {
        let store = HookedStore()
        let setting = try await Self.setting(store: store)
        setting.server.configure { $0.sendsRefreshToken = row.replaces }
        let left = Mutex(row.failures)
        store.configure {
            $0.beforeWrite = { () throws(CredentialStoreError) in
                guard
                    left.withLock({
                        $0 -= 1; return $0 < 0
                    })
                else { throw CredentialStoreError(.failed, "broken for the test") }
            }
        }
        let session = setting.session(.manual)
        let outcome = await Task { try await session.adopt(refreshToken: Secret("refresh-1")) }.result
        #expect(setting.server.revoked == row.revoked)
        guard row.failures == 100 else { return try outcome.get() }
        let error = try #require(outcome.error as? SessionError)
        #expect(error.code == .storeFailed && error.refreshTokenIsSpent == row.replaces)
    }

    @Test func `the refresh token is not sent if there is no space to store the result`() async throws {
        try await withStoreFolder { folder in
            let store = fileStore(below: folder) { step throws(CredentialStoreError) in
                if step == .temporaryCreated { throw CredentialStoreError(.full, "full for the test") }
            }
            let setting = try await Self.setting(store: store)
            let failure = await #expect(throws: SessionError.self) {
                try await setting.session(.manual).adopt(refreshToken: Secret("refresh-1"))
            }
            #expect(failure?.code == .storeFailed)
            #expect(setting.server.tokenRequests.count == 1)
        }
    }

    @Test func `callers that wait for the sign-in page get the adopted token, and the page is closed`() async throws {
        let gate = Gate()
        let elsewhere = SessionSetting()
        try await elsewhere.session().signIn()
        let setting = SessionSetting(server: elsewhere.server) { _ in
            await gate.pass()
            return .cancelled
        }
        let session = setting.session()
        let waiting = Task { try await session.accessToken() }
        await gate.untilReached()
        try await session.adopt(refreshToken: Secret("refresh-1"))
        #expect(try await waiting.value.value == Secret("access-2"))
        gate.open()
        await session.finish()
    }

    @Test func `a session with only the refresh token grant asks no one, and keeps adopted tokens fresh`() async throws {
        let setting = try await Self.setting()
        var configuration = setting.configuration()
        configuration.grant = .refreshToken
        let session = OAuthSession(configuration)
        for _ in 0..<2 {
            #expect(await #expect(throws: SessionError.self) { try await session.accessToken() }?.code == .signInNeeded)
            #expect(await #expect(throws: SessionError.self) { try await session.signIn() }?.code == .signInNeeded)
        }
        #expect(setting.server.tokenRequests == ["authorization_code"])
        try await session.adopt(refreshToken: Secret("refresh-1"))
        try await session.refresh()
        #expect(try await session.accessToken().value == Secret("access-3"))
        #expect(await #expect(throws: SessionError.self) { try await session.signIn() }?.code == .signInNeeded)
        #expect(setting.browser.visitedURLs.isEmpty)
    }
}

/// Who signed in, if the tokens come from another program.
struct AdoptedIdentityTests {
    @Test func `an ID token that arrives with the adopted tokens says who signed in`() async throws {
        let provider = try OpenIDProvider()
        let session = provider.session()
        try await session.adopt(refreshToken: Secret("refresh-0"))
        #expect(try await session.identity?.subject == "jane")
    }

    @Test func `without an ID token, no one knows who signed in`() async throws {
        let provider = try OpenIDProvider()
        provider.change { $0.hasIDToken = false }
        let session = provider.session()
        try await session.adopt(refreshToken: Secret("refresh-0"))
        #expect(try await session.identity == nil)
        guard case .signedIn = session.state else {
            Issue.record("not signed in: \(session.state)")
            return
        }
    }

    @Test(
        arguments: [
            ("another issuer", "iss", "https://other.example"), ("another client", "aud", "other"),
        ] as [(String, String, JSONValue)])
    func `an invalid ID token ends the adoption, and the tokens that replaced others are revoked`(
        description: String, claim: String, value: JSONValue
    ) async throws {
        let provider = try OpenIDProvider()
        provider.change { $0.changes = [(claim, value)] }
        let session = provider.session()
        let failure = await #expect(throws: SessionError.self) { try await session.adopt(refreshToken: Secret("refresh-0")) }
        #expect(failure?.code == .securityCheckFailed && failure?.refreshTokenIsSpent == true)
        #expect(failure?.explanation.contains("sign in again") == true, "\(failure?.explanation ?? "")")
        #expect(provider.revoked.sorted() == ["access-1", "refresh-1"])
        #expect(try await session.identity == nil)
    }

    @Test func `the refresh token is not sent if the keys cannot be read`() async throws {
        let provider = try OpenIDProvider()
        provider.change { $0.isKeySetReachable = false }
        let failure = await #expect(throws: SessionError.self) { try await provider.session().adopt(refreshToken: Secret("refresh-0")) }
        #expect(failure?.code == .unreachable)
        #expect(provider.count(of: "/token") == 0)
    }
}

private func answer(_ status: Int, _ body: String) -> @Sendable (LoadRequest) async throws(LoadError) -> LoadResponse? {
    { _ in
        LoadResponse(
            HTTPResponse(status: .init(code: status), headerFields: [.contentType: "application/json"]), body: .bytes(Array(body.utf8)))
    }
}
