import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import HTTPTypes
import InMemoryLogging
import Logging
import OAuthProtocol
import Synchronization
import Testing

@testable import AuthHub

/// A sign-out that is killed between deletion and revocation, or that cannot reach the server.
struct UnfinishedSignOutTests {
    /// Sessions of one account, as in separate processes.
    private struct Setting: Sendable {
        let store: any CredentialStore

        final class Server: Transport {
            let refusal = Mutex<(@Sendable (LoadRequest) throws(LoadError) -> HTTPResponse.Status)?>(nil)
            let revoked = Mutex<[String]>([])
            private let tokens = RotatingServer()

            func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
                guard request.head.path == "/revoke" else { return try await tokens.send(request) }
                let form = try? FormParameters(decoding: String(decoding: request.body.bytes ?? [], as: UTF8.self))
                revoked.withLock { $0.append(form?["token"] ?? "") }
                let refusal = refusal.withLock { $0 }
                return LoadResponse(HTTPResponse(status: try refusal?(request) ?? .ok))
            }
        }

        let server = Server()
        let logs = InMemoryLogHandler()

        init(store: any CredentialStore = MemoryCredentialStore()) {
            self.store = store
        }

        func session() -> OAuthSession {
            var configuration = OAuthSession.Configuration(
                server: SessionSetting.profile, client: OAuthClient(id: "client"),
                grant: .authorizationCode(ScriptedBrowser(visit: consenting)), store: store, dependencies: dependencies)
            configuration.prompting = .manual
            return OAuthSession(configuration)
        }

        /// Dependencies without a timeout, because a busy machine could reach it.
        var dependencies: Dependencies {
            var dependencies = Dependencies(transport: server, logger: Logger(label: "test") { [logs] _ in logs }) { start }
            dependencies.clock = LoadClock(TestClock())
            return dependencies
        }

        var account: CredentialAccount { session().account }
        var revoked: [String] { server.revoked.withLock { $0 } }

        func refusing(_ refusal: @escaping @Sendable (LoadRequest) throws(LoadError) -> HTTPResponse.Status) {
            server.refusal.withLock { $0 = refusal }
        }

        /// Simulates a process that was killed after it had deleted the credential.
        func killedAfterDeletion() async throws -> Self {
            _ = try await store.overwrite(account, with: try Credential.making("access").record)
            let deletion = await CredentialDeletion(account: account, store: store).perform()
            #expect(deletion.problem == nil)
            #expect(try await store.read(account) == nil)
            return self
        }

        var notices: [String] { logs.entries.filter { $0.level == .notice }.map(\.message.description) }

        func hasNote() async throws -> Bool { try await store.read(account.signOut) != nil }
    }

    @Test func `the next session revokes the tokens of a sign-out that was killed before it could`() async throws {
        let setting = try await Setting().killedAfterDeletion()
        #expect(try await setting.hasNote())
        #expect(try await setting.store.accounts().isEmpty)
        #expect(try await setting.session().restore() == .signedOut)
        #expect(setting.revoked == ["refresh", "access"])
        #expect(try await !setting.hasNote())
        #expect(try await setting.session().restore() == .signedOut)
        #expect(setting.revoked.count == 2, "it was told once")
    }

    @Test func `so does the next sign-in, before it shows its page, and the next sign-out`() async throws {
        let first = try await Setting().killedAfterDeletion()
        try await first.session().signIn()
        #expect(first.revoked == ["refresh", "access"])
        #expect(try await !first.hasNote())
        let second = try await Setting().killedAfterDeletion()
        let report = await second.session().signOut()
        guard case .done = report.revocation else {
            Issue.record("\(report)")
            return
        }
        #expect(second.revoked == ["refresh", "access"])
        #expect(try await !second.hasNote())
        let third = try await Setting().killedAfterDeletion()
        let accounts = OAuthAccounts(store: third.store)
        #expect(await accounts.hasUnfinishedSignOut(third.account))
        _ = await accounts.remove(
            of: SessionSetting.profile, client: OAuthClient(id: "client"), dependencies: third.dependencies)
        #expect(third.revoked == ["refresh", "access"])
        #expect(await !accounts.hasUnfinishedSignOut(third.account))
    }

    @Test func `tries a server that does not respond three times in all`() async throws {
        let setting = Setting()
        _ = try await setting.store.overwrite(setting.account, with: try Credential.making("access").record)
        setting.refusing { request throws(LoadError) in throw LoadError(.cannotConnect, for: request) }
        guard case .failed = await setting.session().signOut().revocation else {
            Issue.record("the server was not told, and that was not said")
            return
        }
        for attempts in 2...3 {
            #expect(try await setting.hasNote())
            #expect(try await setting.session().restore() == .signedOut)
            #expect(setting.revoked.count == attempts, "the first failure ends an attempt")
        }
        #expect(try await !setting.hasNote())
        try await setting.session().restore()
        #expect(setting.revoked.count == 3)
    }

    @Test func `RV03: the session that makes the last attempt reports that revocation failed`() async throws {
        let setting = Setting()
        _ = try await setting.store.overwrite(setting.account, with: try Credential.making("access").record)
        setting.refusing { request throws(LoadError) in throw LoadError(.cannotConnect, for: request) }
        _ = await setting.session().signOut()
        try await setting.session().restore()
        #expect(setting.notices.isEmpty)
        try await setting.session().restore()
        #expect(setting.notices.count == 1)
        #expect(setting.notices.first?.contains("attempt 3 of 3") == true, "\(setting.notices)")
    }

    @Test func `RV03: so does the sign-out that makes the last attempt`() async throws {
        let setting = Setting()
        _ = try await setting.store.overwrite(setting.account, with: try Credential.making("access").record)
        setting.refusing { request throws(LoadError) in throw LoadError(.cannotConnect, for: request) }
        for attempt in 1...3 {
            guard case .failed(let error) = await setting.session().signOut().revocation else {
                Issue.record("attempt \(attempt) did not fail")
                return
            }
            #expect(error.explanation.contains("attempt 3 of 3 to revoke the tokens") == (attempt == 3), "\(error)")
        }
        #expect(try await !setting.hasNote())
        #expect(setting.revoked.count == 3)
    }

    @Test func `RV03: does not make an attempt that the store cannot count, and reports that`() async throws {
        let store = ObstinateStore(.full, at: "write", isObstinate: false)
        let setting = try await Setting(store: store).killedAfterDeletion()
        setting.refusing { request throws(LoadError) in throw LoadError(.cannotConnect, for: request) }
        store.isObstinate.withLock { $0 = true }
        for attempt in 1...4 {
            #expect(try await setting.session().restore() == .signedOut)
            #expect(setting.notices.count == attempt)
        }
        guard case .failed(let error) = await setting.session().signOut().revocation else {
            Issue.record("the attempt was not counted, and that was not reported")
            return
        }
        #expect(error.code == .storeFailed)
        #expect(setting.revoked.isEmpty)
        #expect(try await setting.hasNote())
        store.isObstinate.withLock { $0 = false }
        setting.server.refusal.withLock { $0 = nil }
        try await setting.session().restore()
        #expect(setting.revoked == ["refresh", "access"])
        #expect(try await !setting.hasNote())
    }

    @Test func `any response ends the attempts`() async throws {
        for status in [HTTPResponse.Status.ok, .badRequest, .unauthorized] {
            let setting = Setting()
            _ = try await setting.store.overwrite(setting.account, with: try Credential.making("access").record)
            setting.refusing { _ throws(LoadError) in status }
            #expect(await setting.session().signOut().isSignedOut)
            #expect(try await !setting.hasNote())
        }
    }

    @Test func `does not revoke tokens that are still stored`() async throws {
        let setting = try await Setting().killedAfterDeletion()
        // Store a credential again, as if the process had been killed before the deletion, or the user had signed in since.
        _ = try await setting.store.overwrite(setting.account, with: try Credential.making("access").record)
        let session = setting.session()
        try await session.restore()
        #expect(try await session.accessToken().value == Secret("access"))
        try await session.engine.finishEarlierSignOut(isLast: false)
        #expect(setting.revoked.isEmpty)
        #expect(try await !setting.hasNote())
    }

    @Test func `an attempt leaves the record of a later sign-out`() async throws {
        let setting = Setting()
        let unfinished = UnfinishedSignOut(account: setting.account, store: setting.store)
        let (first, second) = (try Credential.making("first"), try Credential.making("second"))
        try await unfinished.begin(first)
        // While the first tokens are being revoked, the user signs in and out again in another process, which is killed.
        try await unfinished.begin(second)
        _ = await unfinished.attempted(.done, of: first)
        #expect(await unfinished.credential()?.accessToken == second.accessToken)
        _ = await unfinished.attempted(.done, of: second)
        #expect(try await !setting.hasNote())
    }

    enum Ending: CaseIterable {
        case sessionFindsTokens, signOutDeletesNothing
    }

    @Test(arguments: Ending.allCases)
    func `leaves the record that another sign-out writes after the tokens were read`(ending: Ending) async throws {
        let store = HookedStore()
        let setting = Setting(store: store)
        let unfinished = UnfinishedSignOut(account: setting.account, store: store)
        let second = try Credential.making("second")
        try await unfinished.begin(try Credential.making("first"))
        _ = try await store.overwrite(setting.account, with: second.record)
        store.configure {
            $0.afterRead = {
                try? await unfinished.begin(second)
                _ = try? await store.delete(setting.account, at: nil)
            }
        }
        switch ending {
        case .sessionFindsTokens: try await setting.session().engine.finishEarlierSignOut(isLast: false)
        case .signOutDeletesNothing: await unfinished.takeBack()
        }
        #expect(await unfinished.credential()?.accessToken == second.accessToken)
    }

    @Test func `forgetting an account also forgets its unfinished sign-out`() async throws {
        let setting = try await Setting().killedAfterDeletion()
        try await OAuthAccounts(store: setting.store).forget(setting.account)
        #expect(try await !setting.hasNote())
        try await setting.session().restore()
        #expect(setting.revoked.isEmpty)
    }

    @Test(arguments: [CredentialStoreError.Code.full, .refused, .failed])
    func `a store that cannot record the unfinished sign-out does not prevent a sign-out`(code: CredentialStoreError.Code) async throws {
        let store = ObstinateStore(code, at: "write")
        let setting = Setting(store: store)
        _ = try await store.memory.overwrite(setting.account, with: try Credential.making("access").record)
        #expect(await setting.session().signOut().isSignedOut)
        #expect(setting.revoked == ["refresh", "access"])
        #expect(try await store.accounts().isEmpty)
    }

    @Test func `a sign-out waits for at most one writer, and then changes nothing`() async throws {
        for place in ["sign-ins", "write", "delete"] {
            let store = ObstinateStore(.leaseHeld, at: place)
            let setting = Setting(store: store)
            _ = try await store.memory.overwrite(setting.account, with: try Credential.making("access").record)
            let report = await setting.session().signOut()
            #expect(report.problem?.code == .storeFailed, "\(place)")
            #expect(store.refusals == 1, "\(place)")
            #expect(setting.revoked.isEmpty)
            #expect(try await store.memory.read(setting.account) != nil)
            #expect(try await !setting.hasNote())
        }
    }
}

/// A store that fails at one step: deleting the pending sign-ins, writing next to the account, or deleting the account.
private final class ObstinateStore: CredentialStore {
    let memory = MemoryCredentialStore()
    private let code: CredentialStoreError.Code
    private let place: String
    private let count = Mutex(0)

    let isObstinate: Mutex<Bool>

    init(_ code: CredentialStoreError.Code, at place: String, isObstinate: Bool = true) {
        self.code = code
        self.place = place
        self.isObstinate = Mutex(isObstinate)
    }

    var refusals: Int { count.withLock { $0 } }

    private func refuse(_ place: String) throws(CredentialStoreError) {
        guard place == self.place, isObstinate.withLock({ $0 }) else { return }
        count.withLock { $0 += 1 }
        throw CredentialStoreError(code, "Ordered by the test.")
    }

    func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? { try await memory.read(account) }

    func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        if !account.isListed { try refuse("write") }
        return try await memory.write(payload, for: account, replacing: expected)
    }

    func delete(_ account: CredentialAccount, at expected: CredentialVersion?) async throws(CredentialStoreError) -> Bool {
        if account.isListed { try refuse("delete") }
        if account.server.contains("sign-ins") { try refuse("sign-ins") }
        return try await memory.delete(account, at: expected)
    }

    func accounts() async throws(CredentialStoreError) -> [CredentialAccount] { try await memory.accounts() }

    func lease(
        _ account: CredentialAccount, waitingAtMost timeout: Duration
    ) async throws(CredentialStoreError) -> CredentialLease {
        try await memory.lease(account, waitingAtMost: timeout)
    }
}
