import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import OAuthProtocol
import Platform
import Testing
import WebAuthentication

@testable import AuthHub

/// Callbacks that arrive at a different session than the one that showed the page, for example after a restart.
struct FinishSignInTests {
    private static let redirectURI = "http://127.0.0.1:49152/callback"

    /// A session whose page was shown but whose callback never arrived, as in a process that was killed, and the callback that the
    /// browser would have received.
    private final class Interrupted: Sendable {
        let setting: SessionSetting
        let signIn: Task<Void, any Error>
        let callback: String
        private let gate: Gate

        init(store: any CredentialStore = MemoryCredentialStore()) async throws {
            let gate = Gate()
            let setting = SessionSetting(store: store) { url in
                await gate.pass()
                return await consenting(url)
            }
            let session = setting.session()
            signIn = Task { try await session.signIn() }
            await gate.untilReached()
            guard case .callback(let callback) = await consenting(try #require(setting.browser.visitedURLs.first)) else {
                throw CancellationError()
            }
            self.callback = callback
            self.setting = setting
            self.gate = gate
        }

        /// Makes the browser send the callback.
        func goOn() { gate.open() }

        deinit {
            signIn.cancel()
            gate.open()
        }
    }

    private static func isKept(_ setting: SessionSetting) async throws -> Bool {
        try await !PendingSignIns(of: setting.session().account, in: setting.store, now: { start }).all().isEmpty
    }

    @Test(arguments: SharedStore.allCases)
    func `a second session finishes the sign-in that the first one started`(kind: SharedStore) async throws {
        try await kind.using { handle in
            let interrupted = try await Interrupted(store: handle())
            let setting = SessionSetting(store: handle())
            let session = setting.session(.manual)
            try await session.finishSignIn(with: interrupted.callback)
            guard case .signedIn = session.state else {
                Issue.record("not signed in: \(session.state)")
                return
            }
            #expect(setting.server.tokenRequests == ["authorization_code"])
            #expect(setting.browser.visitedURLs.isEmpty)
            #expect(try await session.accessToken().value == Secret("access-1"))
            #expect(try await setting.session(.manual).accessToken().value == Secret("access-1"))
            #expect(try await !Self.isKept(setting))
        }
    }

    @Test func `accepts a callback as a URL, too`() async throws {
        let interrupted = try await Interrupted()
        let session = interrupted.setting.session(.manual)
        try await session.finishSignIn(with: try #require(URL(string: interrupted.callback)))
        #expect(try await session.accessToken().value == Secret("access-1"))
    }

    @Test(arguments: [
        ("FORM", redirectURI, true), ("code=c0de&state=forged", redirectURI, false), ("FORM", "https://elsewhere.example/callback", false),
    ])
    func `finishes a sign-in with a posted form if the form and its URL belong to the sign-in`(
        form: String, url: String, isGood: Bool
    ) async throws {
        let gate = Gate()
        let setting = SessionSetting { _ in
            await gate.pass()
            return .cancelled
        }
        var profile = SessionSetting.profile
        profile.quirks.authorizationResponses.responseMode = .formPost
        profile.quirks.authorizationResponses.userParameter = "user"
        let configuration = OAuthSession.Configuration(
            server: profile, client: OAuthClient(id: "client"), scope: ["read"], grant: .authorizationCode(setting.browser),
            store: setting.store, dependencies: Dependencies(transport: setting.server) { start })
        let interrupted = OAuthSession(configuration)
        let signIn = Task { try await interrupted.signIn() }
        await gate.untilReached()
        let shown = try #require(setting.browser.visitedURLs.first)
        #expect(parameter("response_mode", of: shown) == "form_post")
        let good: FormParameters = ["code": "c0de", "state": parameter("state", of: shown), "user": #"{"name":{"firstName":"Jane"}}"#]
        let session = OAuthSession(configuration)
        let failure: SessionError?
        do throws(SessionError) {
            try await session.finishSignIn(withForm: form.replacing("FORM", with: good.encoded()), postedTo: url)
            failure = nil
        } catch {
            failure = error
        }
        #expect(failure?.code == (isGood ? nil : .securityCheckFailed))
        #expect(setting.server.tokenRequests.count == (isGood ? 1 : 0))
        #expect(try await session.unverifiedUser?["name"] == (isGood ? ["firstName": "Jane"] : nil))
        gate.open()
        _ = await signIn.result
    }

    @Test func `the session that showed the page does not send the code again after another session finished the sign-in`() async throws {
        let interrupted = try await Interrupted()
        try await interrupted.setting.session(.manual).finishSignIn(with: interrupted.callback)
        interrupted.goOn()
        let failure = await #expect(throws: SessionError.self) { try await interrupted.signIn.value }
        #expect(failure?.code == .cancelledByProgram)
        #expect(interrupted.setting.server.tokenRequests.count == 1)
        #expect(try await interrupted.setting.session(.manual).accessToken().value == Secret("access-1"))
    }

    @Test func `stores a pending sign-in while the page is shown, and does not list it as an account`() async throws {
        let interrupted = try await Interrupted()
        #expect(try await Self.isKept(interrupted.setting))
        #expect(try await interrupted.setting.store.accounts().isEmpty)
        interrupted.goOn()
        try await interrupted.signIn.value
        #expect(try await !Self.isKept(interrupted.setting))
    }

    @Test(arguments: [
        ("the user closes the window", ScriptedBrowser.Visit.cancelled),
        ("the sign-in times out", .failure(WebAuthenticationError(.timedOut))),
        ("no browser", .failure(WebAuthenticationError(.cannotShow))),
    ])
    func `deletes a sign-in that ends without a callback`(description: String, visit: ScriptedBrowser.Visit) async throws {
        let setting = SessionSetting { _ in visit }
        await #expect(throws: SessionError.self, "\(description)") { try await setting.session().signIn() }
        #expect(try await !Self.isKept(setting))
    }

    @Test func `deletes a sign-in whose task is cancelled`() async throws {
        let interrupted = try await Interrupted()
        interrupted.signIn.cancel()
        _ = await interrupted.signIn.result
        interrupted.goOn()
        let turn = SignInTurn(
            account: interrupted.setting.session().account, store: interrupted.setting.store, timeout: .seconds(60), logger: nil)
        await (try turn.begin()).release()
        #expect(try await !Self.isKept(interrupted.setting))
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let callback: @Sendable (String) -> String
        let says: String
    }

    @Test(arguments: [
        Refusal(
            testDescription: "AR03 another state", callback: { _ in "\(redirectURI)?code=c&state=forged" },
            says: "state does not match this sign-in's"),
        Refusal(testDescription: "AR02 no state", callback: { _ in "\(redirectURI)?code=c" }, says: "no state"),
        Refusal(
            testDescription: "AR14 an error without a state", callback: { _ in "\(redirectURI)?error=access_denied" }, says: "no state"),
        Refusal(testDescription: "AR07 two states", callback: { "\($0)&state=x" }, says: "more than once"),
        Refusal(
            testDescription: "AR01 another path", callback: { $0.replacing("/callback", with: "/other") },
            says: "not this sign-in's redirect"),
        Refusal(
            testDescription: "AR01 another scheme", callback: { $0.replacing("http://127.0.0.1:49152", with: "com.example.app:") },
            says: "not this sign-in's redirect"),
        Refusal(testDescription: "AR28 the response in the fragment", callback: { $0.replacing("?", with: "#") }, says: "in the fragment"),
        Refusal(testDescription: "nothing", callback: { _ in "" }, says: "not this sign-in's redirect"),
    ])
    func `rejects a forged callback with its reason, and deletes nothing`(row: Refusal) async throws {
        let interrupted = try await Interrupted()
        let session = interrupted.setting.session(.manual)
        let failure = await #expect(throws: SessionError.self) {
            try await session.finishSignIn(with: row.callback(interrupted.callback))
        }
        #expect(failure?.code == .securityCheckFailed)
        #expect(failure?.explanation.contains(row.says) == true, "\(failure?.explanation ?? "")")
        #expect(interrupted.setting.server.tokenRequests.isEmpty)
        try await session.finishSignIn(with: interrupted.callback)
        #expect(try await session.accessToken().value == Secret("access-1"))
    }

    @Test func `a callback that carries the state and fails another check ends its sign-in`() async throws {
        let interrupted = try await Interrupted()
        let session = interrupted.setting.session(.manual)
        for expected in ["issuer", "no sign-in is waiting"] {
            let failure = await #expect(throws: SessionError.self) {
                try await session.finishSignIn(with: interrupted.callback + "&iss=https://evil.example")
            }
            #expect(failure?.code == .securityCheckFailed)
            #expect(failure?.explanation.contains(expected) == true)
        }
        #expect(interrupted.setting.server.tokenRequests.isEmpty)
    }

    @Test func `reports the server's error`() async throws {
        let interrupted = try await Interrupted()
        let failure = await #expect(throws: SessionError.self) {
            try await interrupted.setting.session(.manual).finishSignIn(
                with: interrupted.callback.replacing("code=c0de", with: "error=access_denied"))
        }
        #expect(failure?.code == .denied)
        #expect(try await !Self.isKept(interrupted.setting))
    }

    @Test func `AR05: accepts a callback once, from whichever session it arrives, and rejects it if no sign-in is pending`() async throws {
        let interrupted = try await Interrupted()
        let sessions = (0..<8).map { _ in interrupted.setting.session(.manual) }
        let outcomes = await withTaskGroup(of: Result<Void, SessionError>.self) { group in
            for session in sessions {
                group.addTask {
                    do throws(SessionError) {
                        return .success(try await session.finishSignIn(with: interrupted.callback))
                    } catch {
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        let refusals = outcomes.compactMap(\.error)
        #expect(refusals.map(\.code) == Array(repeating: .securityCheckFailed, count: 7))
        #expect(interrupted.setting.server.tokenRequests == ["authorization_code"])
        let late = await #expect(throws: SessionError.self) { try await sessions[0].finishSignIn(with: interrupted.callback) }
        #expect(late?.code == .securityCheckFailed)
        #expect(try await sessions[0].accessToken().value == Secret("access-1"))
    }

    @Test func `AR06: rejects the callback of another account, which still finishes its own sign-in`() async throws {
        let interrupted = try await Interrupted()
        let other = interrupted.setting.session(.manual, label: "other")
        let failure = await #expect(throws: SessionError.self) { try await other.finishSignIn(with: interrupted.callback) }
        #expect(failure?.code == .securityCheckFailed)
        try await interrupted.setting.session(.manual).finishSignIn(with: interrupted.callback)
        #expect(try await interrupted.setting.store.accounts().map(\.label) == ["default"])
    }

    @Test(arguments: [nil, "", "short"])
    func `AR53: sends the code nowhere if the verifier is lost or damaged`(verifier: String?) async throws {
        let interrupted = try await Interrupted()
        let setting = interrupted.setting
        let account = setting.session().account.signIns
        let stored = try #require(try await setting.store.read(account))
        var members = try #require(try JSONValue(strict: stored.payload.reveal()).object)
        var pending = try #require(members["pending"]?.array?.first?.object)
        #expect(pending["code_verifier"]?.string?.isEmpty == false)
        pending["code_verifier"] = verifier.map(JSONValue.string)
        members["pending"] = .array([.object(pending)])
        _ = try await setting.store.write(Secret(JSONValue.object(members).serialized()), for: account, replacing: stored.version)
        let failure = await #expect(throws: SessionError.self) {
            try await setting.session(.manual).finishSignIn(with: interrupted.callback)
        }
        #expect(failure?.code == .securityCheckFailed)
        #expect(setting.server.tokenRequests.isEmpty)
    }

    @Test func `AR52: rejects a callback that arrives after the sign-in's timeout, and deletes the sign-in`() async throws {
        let interrupted = try await Interrupted()
        interrupted.setting.advance(by: 300)
        let session = interrupted.setting.session(.manual)
        let failure = await #expect(throws: SessionError.self) { try await session.finishSignIn(with: interrupted.callback) }
        #expect(failure?.code == .timedOut)
        #expect(interrupted.setting.server.tokenRequests.isEmpty)
        #expect(try await !Self.isKept(interrupted.setting))
    }

    @Test func `a sign-out ends pending sign-ins, including those of other sessions`() async throws {
        let interrupted = try await Interrupted()
        let session = interrupted.setting.session(.manual)
        #expect(await session.signOut().isSignedOut)
        #expect(try await !Self.isKept(interrupted.setting))
        await #expect(throws: SessionError.self) { try await session.finishSignIn(with: interrupted.callback) }
        interrupted.goOn()
        await #expect(throws: SessionError.self) { try await interrupted.signIn.value }
        #expect(interrupted.setting.server.tokenRequests.isEmpty)
        #expect(try await interrupted.setting.store.accounts().isEmpty)
    }

    @Test func `a session that signs out during the code exchange revokes the new tokens`() async throws {
        let interrupted = try await Interrupted()
        let gate = Gate()
        interrupted.setting.server.configure { $0.afterToken = { () async throws(LoadError) in await gate.pass() } }
        let session = interrupted.setting.session(.manual)
        let finishing = Task { try await session.finishSignIn(with: interrupted.callback) }
        await gate.untilReached()
        _ = await session.signOut()
        gate.open()
        let failure = await #expect(throws: SessionError.self) { try await finishing.value }
        #expect(failure?.code == .cancelledByProgram)
        #expect(try await interrupted.setting.store.accounts().isEmpty)
        #expect(interrupted.setting.server.revoked == ["refresh-1", "access-1"])
    }

    @Test func `a sign-out waits until a callback's tokens are stored, then deletes and revokes them`() async throws {
        let store = SlowStore()
        let interrupted = try await Interrupted(store: store)
        let setting = SessionSetting(store: store)
        let session = setting.session(.manual)
        let finishing = Task { try await session.finishSignIn(with: interrupted.callback) }
        await store.writing.untilReached()
        let signOut = Task { await session.signOut() }
        while session.state != .signingOut { await Task.yield() }
        for _ in 0..<5_000 { await Task.yield() }
        #expect(session.state == .signingOut)
        store.writing.open()
        #expect(await signOut.value.isSignedOut)
        let failure = await #expect(throws: SessionError.self) { try await finishing.value }
        #expect(failure?.code == .cancelledByProgram)
        await session.finish()
        #expect(try await store.accounts().isEmpty)
        #expect(setting.server.revoked == ["refresh-1", "access-1"])
    }

    @Test func `two pending sign-ins do not interfere, whichever callback arrives first`() async throws {
        let killed = try await Interrupted()
        // The sign-in releases its lease, as if its process had been killed.
        let pending = try await PendingSignIns(of: killed.setting.session().account, in: killed.setting.store, now: { start }).all()
        let store = MemoryCredentialStore()
        let waiting = try await Interrupted(store: store)
        try await PendingSignIns(of: killed.setting.session().account, in: store, now: { start }).add(try #require(pending.first))
        let session = SessionSetting(store: store).session(.manual)
        try await session.finishSignIn(with: killed.callback)
        let earlier = try await session.accessToken().value
        waiting.goOn()
        try await waiting.signIn.value
        let stored = try await SessionSetting(store: store).session(.manual).accessToken().value
        #expect(earlier == Secret("access-1"))
        #expect(stored == Secret("access-1"))
        #expect(waiting.setting.server.tokenRequests == ["authorization_code"])
        #expect(try await !Self.isKept(waiting.setting))
    }

    @Test func `callers that wait for a token get the one from the callback, and the page that is no longer needed closes`() async throws {
        let gate = Gate()
        let setting = SessionSetting { url in
            await gate.pass()
            return await consenting(url)
        }
        let session = setting.session()
        let wanting = Task { try await session.accessToken().value }
        await gate.untilReached()
        guard case .callback(let callback) = await consenting(setting.browser.visitedURLs[0]) else { return }
        try await session.finishSignIn(with: callback)
        #expect(try await wanting.value == Secret("access-1"))
        gate.open()
        await session.finish()
        guard case .signedIn = session.state else {
            Issue.record("not signed in: \(session.state)")
            return
        }
        #expect(setting.server.tokenRequests.count == 1)
    }

    @Test func `keeps the pending sign-in if the server's metadata is unavailable`() async throws {
        let interrupted = try await Interrupted()
        var profile = SessionSetting.profile
        profile.endpoints = nil
        let offline = OAuthSession(
            server: profile, client: OAuthClient(id: "client"), browser: interrupted.setting.browser, store: interrupted.setting.store,
            dependencies: Dependencies(transport: RoutedTransport([(.any, .failure(.cannotConnect))])) { start })
        try #require(offline.account == interrupted.setting.session().account)
        let failure = await #expect(throws: SessionError.self) { try await offline.finishSignIn(with: interrupted.callback) }
        #expect(failure?.code == .unreachable)
        try await interrupted.setting.session(.manual).finishSignIn(with: interrupted.callback)
    }

    @Test(arguments: ["", "{}", #"{"format":2,"pending":[]}"#, #"{"format":1,"pending":[{}]}"#])
    func `a damaged list of sign-ins does not prevent a sign-in`(record: String) async throws {
        let setting = SessionSetting()
        let session = setting.session()
        _ = try await setting.store.write(Secret(Array(record.utf8)), for: session.account.signIns, replacing: nil)
        await #expect(throws: SessionError.self) { try await session.finishSignIn(with: "\(Self.redirectURI)?code=c&state=s") }
        try await session.signIn()
        #expect(try await !Self.isKept(setting))
    }
}
