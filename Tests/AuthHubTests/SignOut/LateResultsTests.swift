import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Testing

@testable import AuthHub

/// Work that starts before a sign-out and finishes during or after it. Its result is not stored, not used, and deletes nothing.
struct LateResultsTests {
    @Test(arguments: [false, true])
    func `a request of another chain that is rejected after the sign-out opens no page, and is not replayed with the next user's token`(
        isNextSignedIn: Bool
    ) async throws {
        let gate = Gate()
        let setting = SessionSetting()
        let session = setting.session(unauthorizedPolicy: .signInAgain)
        try await session.signIn()
        let chain = try Chain(transport: setting.server) { AuthorizeLoader(session.authorizer) }
        setting.server.configure { $0.atAPI = { _ in await gate.pass() } }
        let load = Task { try await chain.load(.get("https://api.example/")).status }
        await gate.untilReached()
        await session.signOut()
        if isNextSignedIn { try await session.signIn() }
        gate.open()
        #expect(try await load.value == .unauthorized)
        #expect(setting.browser.visitedURLs.count == (isNextSignedIn ? 2 : 1))
        #expect(setting.server.apiRequests.map(\.authorization) == ["Bearer access-1"])
    }

    @Test func `an abandoned sign-in deletes nothing that was stored since the sign-out`() async throws {
        let gate = Gate()
        let store = HookedStore()
        let setting = SessionSetting(store: store)
        let session = setting.session()
        store.configure { $0.afterSignInLease = { await gate.pass() } }
        let signIn = Task { try await session.signIn() }
        await gate.untilReached()
        await session.signOut()
        await #expect(throws: SessionError.self) { try await signIn.value }
        _ = try await store.overwrite(session.account, with: try Credential.making("of-others").record)
        gate.open()
        await session.finish()
        #expect(try await store.credential(of: session.account)?.credential.accessToken == Secret("of-others"))
        #expect(setting.server.revoked.isEmpty)
    }

    @Test(arguments: SharedStore.allCases)
    func `a sign-out elsewhere ends a sign-in whose code was sent, and its tokens are revoked`(kind: SharedStore) async throws {
        try await kind.using { handle in
            let gate = Gate()
            let setting = SessionSetting(store: handle())
            setting.server.configure { $0.afterToken = { () async throws(LoadError) in await gate.pass() } }
            let session = setting.session()
            let signIn = Task { try await session.signIn() }
            await gate.untilReached()
            await SessionSetting(store: handle()).session().signOut()
            gate.open()
            let failure = await #expect(throws: SessionError.self) { try await signIn.value }
            #expect(failure?.code == .cancelledByProgram)
            await session.finish()
            #expect(try await handle().accounts().isEmpty)
            #expect(setting.server.revoked.contains("refresh-1") && setting.server.revoked.contains("access-1"))
            #expect(try await handle().read(session.account.signIns) == nil)
            if case .signedIn = session.state { Issue.record("it is signed in") }

            setting.server.configure { $0.afterToken = nil }
            try await session.signIn()
            #expect(try await handle().read(session.account.signIns) == nil)
        }
    }

    /// Returns a session whose sign-in has received its tokens but has not stored them yet.
    private func signingIn(_ store: HookedStore) async -> (SessionSetting, OAuthSession, Task<Void, any Error>, Gate) {
        let gate = Gate()
        let setting = SessionSetting(store: store)
        setting.server.configure { $0.afterToken = { () async throws(LoadError) in await gate.pass() } }
        let session = setting.session()
        let signIn = Task { try await session.signIn() }
        await gate.untilReached()
        return (setting, session, signIn, gate)
    }

    @Test func `a refresh elsewhere does not keep the tokens of a sign-in that a sign-out ended`() async throws {
        let store = HookedStore()
        let (setting, session, signIn, gate) = await signingIn(store)
        await SessionSetting(store: store).session().signOut()
        store.configure {
            $0.beforeDelete = { () async throws(CredentialStoreError) in
                store.configure { $0.beforeDelete = nil }
                guard let stored = try await store.read(session.account) else { return }
                let text = String(decoding: stored.payload.reveal(), as: UTF8.self).replacing("refresh-1", with: "refresh-9")
                _ = try await store.write(Secret(Array(text.utf8)), for: session.account, replacing: stored.version)
            }
        }
        gate.open()
        await #expect(throws: SessionError.self) { try await signIn.value }
        await session.finish()
        #expect(try await store.accounts().isEmpty)
        #expect(setting.server.revoked.contains("refresh-9"))
    }

    @Test func `tokens of a sign-in that a sign-out ended are revoked later if the server cannot be reached`() async throws {
        let store = HookedStore()
        let (setting, session, signIn, gate) = await signingIn(store)
        await SessionSetting(store: store).session().signOut()
        setting.server.configure { $0.atRevoke = { () async throws(LoadError) in throw LoadError(.connectionLost) } }
        gate.open()
        let failure = await #expect(throws: SessionError.self) { try await signIn.value }
        #expect(failure?.explanation.contains("revoking them failed") == true)
        await session.finish()
        #expect(try await store.accounts().isEmpty)
        #expect(setting.server.revoked.isEmpty)

        setting.server.configure { $0.atRevoke = nil }
        await session.signOut()
        #expect(setting.server.revoked.contains("refresh-1"))
    }

    @Test func `a sign-out that fails does not end a sign-in in progress`() async throws {
        let store = HookedStore()
        _ = try await SessionSetting(store: store).signedIn()
        let (setting, session, signIn, gate) = await signingIn(store)
        store.configure { $0.beforeDelete = { () async throws(CredentialStoreError) in throw CredentialStoreError(.leaseHeld, "held") } }
        #expect(await SessionSetting(store: store).session().signOut().problem != nil)
        store.configure { $0.beforeDelete = nil }
        gate.open()
        try await signIn.value
        #expect(setting.server.revoked.isEmpty)
        #expect(session.state.isSignedOut == false)
    }

    @Test func `a sign-out waits for a finished sign-in that is storing tokens, then deletes and revokes them`() async throws {
        let page = Gate()
        let writing = Gate()
        let store = HookedStore()
        let setting = SessionSetting(store: store) { url in
            await page.pass()
            return await consenting(url)
        }
        let shown = Task { [session = setting.session()] in try await session.signIn() }
        await page.untilReached()
        let state = parameter("state", of: try #require(setting.browser.visitedURLs.first))
        store.configure { $0.beforeWrite = { () async throws(CredentialStoreError) in await writing.pass() } }
        let session = setting.session(.manual)
        let finishing = Task { try await session.finishSignIn(with: "http://127.0.0.1:49152/callback?code=c0de&state=\(state)") }
        await writing.untilReached()
        let report = try await signOut(of: session, opening: writing)
        #expect(report.revocation.isDone)
        _ = try? await finishing.value
        await session.finish()
        #expect(try await store.accounts().isEmpty)
        #expect(session.state == .signedOut)
        #expect(setting.server.revoked == ["refresh-1", "access-1"])
        page.open()
        await #expect(throws: SessionError.self) { try await shown.value }
    }

    @Test func `the late response to an abandoned sign-in does not hide that the next one is storing tokens`() async throws {
        let late = Gate()
        let writing = Gate()
        let store = HookedStore()
        let setting = SessionSetting(store: store)
        setting.server.configure { $0.afterToken = { () async throws(LoadError) in await late.pass() } }
        let session = setting.session()
        let givenUp = Task { try await session.signIn() }
        await late.untilReached()
        setting.server.configure { $0.afterToken = nil }
        await session.signOut()
        await #expect(throws: SessionError.self) { try await givenUp.value }
        store.configure { $0.beforeWrite = { () async throws(CredentialStoreError) in await writing.pass() } }
        let signIn = Task { try await session.signIn() }
        await writing.untilReached()
        late.open()
        while setting.server.revoked.isEmpty { await Task.yield() }
        let report = try await signOut(of: session, opening: writing)
        #expect(report.revocation.isDone)
        await #expect(throws: SessionError.self) { try await signIn.value }
        await session.finish()
        #expect(try await store.accounts().isEmpty)
    }

    @Test func `revokes the tokens of a refresh that finishes after the sign-out, even if the store does not accept them`() async throws {
        let gate = Gate()
        let store = HookedStore()
        let setting = SessionSetting(store: store)
        let session = try await setting.signedIn()
        store.configure {
            $0.beforeWrite = { () async throws(CredentialStoreError) in
                await gate.pass()
                throw CredentialStoreError(.refused, "the folder is read-only")
            }
        }
        let refresh = Task { try await session.refresh() }
        await gate.untilReached()
        await session.signOut()
        gate.open()
        await #expect(throws: SessionError.self) { try await refresh.value }
        await session.finish()
        #expect(setting.server.revoked == ["refresh-1", "access-1", "refresh-2", "access-2"])
    }

    /// Signs out, and opens the gate when the sign-out cannot continue without it.
    private func signOut(of session: OAuthSession, opening gate: Gate) async throws -> SignOutReport {
        let states = session.states
        let task = Task { await session.signOut() }
        for await state in states where state == .signingOut || state == .signedOut { break }
        for _ in 0..<1000 { await Task.yield() }
        gate.open()
        return await task.value
    }
}

extension SignOutReport.Revocation {
    fileprivate var isDone: Bool { if case .done = self { true } else { false } }
}
