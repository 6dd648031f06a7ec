import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Testing
import WebAuthentication

struct SignInTests {
    @Test func `signing in stores the credential before returning it, and the next session finds it`() async throws {
        let setting = SessionSetting()
        let session = setting.session()
        #expect(session.state == .unknown)
        try await session.signIn()
        guard case .signedIn(let facts) = session.state else {
            Issue.record("not signed in: \(session.state)")
            return
        }
        #expect(facts.isRenewable)
        #expect(facts.scope == ["read"])
        let next = setting.session(.manual)
        #expect(try await next.accessToken().value == Secret("access-1"))
        #expect(setting.browser.pages == [.signedIn])
    }

    @Test func `case 37: 50 requests that sign in on demand open one page`() async throws {
        let setting = SessionSetting()
        let session = setting.session()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { try await session.load(.get("https://api.example/")).status.code } }
            for try await status in group { #expect(status == 200) }
        }
        #expect(setting.browser.visitedURLs.count == 1)
        #expect(setting.server.tokenRequests == ["authorization_code"])
    }

    @Test func `a manual session never opens a page on its own`() async throws {
        let setting = SessionSetting()
        let session = setting.session(.manual)
        let failure = await #expect(throws: LoadError.self) { try await session.load(.get("https://api.example/")) }
        #expect((failure?.underlying as? SessionError)?.code == .signInNeeded)
        #expect(setting.browser.visitedURLs.isEmpty)
    }

    struct EndingRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let visit: @Sendable (String) async -> ScriptedBrowser.Visit
        let expected: SessionError.Code
        let party: SessionError.Party

        static func answering(_ query: String) -> @Sendable (String) async -> ScriptedBrowser.Visit {
            { url in .callback("http://127.0.0.1:49152/callback?\(query)&state=\(parameter("state", of: url))") }
        }
    }

    @Test(arguments: [
        EndingRow(
            testDescription: "AR51 the user closes the window", visit: { _ in .cancelled }, expected: .cancelledByUser,
            party: .user),
        EndingRow(
            testDescription: "AR52 a timeout", visit: { _ in .failure(WebAuthenticationError(.timedOut)) }, expected: .timedOut,
            party: .user),
        EndingRow(
            testDescription: "no browser", visit: { _ in .failure(WebAuthenticationError(.cannotShow)) }, expected: .cannotSignInHere,
            party: .program),
        EndingRow(
            testDescription: "the page's server is unreachable",
            visit: { _ in .failure(WebAuthenticationError(.cannotShow, underlying: LoadError(.cannotConnect))) }, expected: .unreachable,
            party: .network),
        EndingRow(
            testDescription: "AR51 access denied", visit: EndingRow.answering("error=access_denied"), expected: .denied, party: .user),
        EndingRow(
            testDescription: "any other error", visit: EndingRow.answering("error=server_error"), expected: .unreachable, party: .server),
        EndingRow(testDescription: "AR09 no code", visit: EndingRow.answering("x=y"), expected: .serverMisbehaved, party: .server),
        EndingRow(
            testDescription: "AR16 a different issuer", visit: EndingRow.answering("code=c&iss=https://evil.example"),
            expected: .securityCheckFailed, party: .server),
        EndingRow(
            testDescription: "AR29 an injected token", visit: EndingRow.answering("code=c&access_token=t"), expected: .securityCheckFailed,
            party: .server),
        EndingRow(
            testDescription: "AR03 a wrong state",
            visit: { _ in .callback("http://127.0.0.1:49152/callback?code=c&state=x") },
            expected: .securityCheckFailed, party: .server),
    ])
    func `each failure ends the sign-in with its own error, and without a token request`(row: EndingRow) async throws {
        let setting = SessionSetting(person: row.visit)
        let session = setting.session()
        let failure = await #expect(throws: SessionError.self) { try await session.signIn() }
        #expect(failure?.code == row.expected)
        #expect(failure?.whoHasToAct == row.party)
        #expect(setting.server.tokenRequests.isEmpty)
        #expect(try await setting.store.accounts().isEmpty)
    }

    @Test func `reports a failed exchange to the user as a failure`() async throws {
        let setting = SessionSetting()
        setting.server.configure { $0.atToken = { request throws(LoadError) in throw LoadError(.connectionLost, for: request) } }
        let session = setting.session()
        await #expect(throws: SessionError.self) { try await session.signIn() }
        #expect(setting.server.tokenRequests.count == 1)
        guard case .failed? = setting.browser.pages.first else {
            Issue.record("the page said \(setting.browser.pages)")
            return
        }
    }

    @Test func `a failed sign-in keeps the existing credential`() async throws {
        let setting = SessionSetting(person: { _ in .cancelled })
        let other = SessionSetting(store: setting.store)
        _ = try await other.signedIn()
        let session = setting.session()
        await #expect(throws: SessionError.self) { try await session.signIn() }
        #expect(try await session.accessToken().value == Secret("access-1"))
    }

    @Test func `two labels are two accounts`() async throws {
        let setting = SessionSetting()
        let work = setting.session(label: "work")
        let home = setting.session(label: "home")
        try await work.signIn()
        try await home.signIn()
        #expect(try await work.accessToken().value != home.accessToken().value)
        _ = await work.signOut()
        #expect(try await setting.store.accounts().map(\.label) == ["home"])
    }

    @Test func `a cancelled task leaves the sign-in, and the page closes when no caller waits`() async throws {
        let gate = Gate()
        let setting = SessionSetting(person: { url in
            await gate.pass()
            return await consenting(url)
        })
        let session = setting.session()
        let task = Task { try await session.signIn() }
        await gate.untilReached()
        task.cancel()
        let failure = await #expect(throws: SessionError.self) { try await task.value }
        #expect(failure?.code == .cancelledByProgram)
        gate.open()
        for await state in session.states where !state.isSigningIn { break }
        #expect(setting.server.tokenRequests.isEmpty)
        #expect(try await setting.store.accounts().isEmpty)
    }
}

struct SignOutTests {
    @Test func `deletes the tokens locally and revokes them at the server`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        let report = await session.signOut()
        guard case .done = report.revocation else {
            Issue.record("\(report)")
            return
        }
        #expect(setting.server.revoked == ["refresh-1", "access-1"])
        #expect(try await setting.store.accounts().isEmpty)
        #expect(session.state == .signedOut)
    }

    @Test func `RV03: an unreachable server does not keep the user signed in`() async throws {
        let setting = SessionSetting()
        _ = try await setting.signedIn()
        let offline = OAuthSession(
            server: SessionSetting.profile, client: OAuthClient(id: "client"), browser: setting.browser, store: setting.store,
            dependencies: Dependencies(transport: RoutedTransport([(.any, .failure(.cannotConnect))])) { start })
        let report = await offline.signOut()
        #expect(report.isSignedOut)
        guard case .failed(let error) = report.revocation else {
            Issue.record("\(report)")
            return
        }
        #expect(error.code == .unreachable)
        #expect(try await setting.store.accounts().isEmpty)
    }

    @Test func `revokes tokens that arrive after the sign-out, and waits for that before finishing`() async throws {
        let gate = Gate()
        let setting = SessionSetting()
        setting.server.configure { $0.afterToken = { () async throws(LoadError) in await gate.pass() } }
        let session = setting.session()
        let signIn = Task { try await session.signIn() }
        await gate.untilReached()
        #expect(await session.signOut().isSignedOut)
        await #expect(throws: SessionError.self) { try await signIn.value }
        gate.open()
        await session.finish()
        #expect(try await setting.store.accounts().isEmpty)
        #expect(setting.server.revoked == ["refresh-1", "access-1"])
    }

    @Test func `a code redeemed after the sign-out does not replace the credential of the next sign-in`() async throws {
        let gate = Gate()
        let setting = SessionSetting()
        setting.server.configure { $0.afterToken = { () async throws(LoadError) in await gate.pass() } }
        let session = setting.session()
        let abandoned = Task { try await session.signIn() }
        await gate.untilReached()
        setting.server.configure { $0.afterToken = nil }
        _ = await session.signOut()
        await #expect(throws: SessionError.self) { try await abandoned.value }
        try await session.signIn()
        gate.open()
        await session.finish()
        #expect(try await setting.session(.manual).accessToken().value == Secret("access-2"))
    }

    @Test func `deletes an unreadable credential, and does not report it as revoked`() async throws {
        let setting = SessionSetting()
        let session = setting.session()
        _ = try await setting.store.write(Secret([1, 2, 3]), for: session.account, replacing: nil)
        let report = await session.signOut()
        #expect(report.isSignedOut)
        guard case .failed(let error) = report.revocation else {
            Issue.record("\(report)")
            return
        }
        #expect(error.code == .storeFailed)
        #expect(try await setting.store.accounts().isEmpty)
    }

    @Test func `case 37: concurrent sign-outs, and signing out while signed out, are harmless`() async throws {
        let setting = SessionSetting()
        let session = try await setting.signedIn()
        async let first = session.signOut()
        async let second = session.signOut()
        #expect(await first.isSignedOut)
        #expect(await second.isSignedOut)
        #expect(await setting.session().signOut().isSignedOut)
    }

    @Test func `yields the states in order, starting with the current one`() async throws {
        let setting = SessionSetting()
        let session = setting.session()
        var states = session.states.makeAsyncIterator()
        #expect(await states.next() == .unknown)
        try await session.signIn()
        #expect(await states.next() == session.state)
        _ = await session.signOut()
        #expect(await states.next() == .signedOut)
    }
}
