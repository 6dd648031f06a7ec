import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

/// Tests with a store that does not accept the new token.
struct FullStoreTests {
    @Test func `sends no refresh if the store reports that it cannot write, so the old token is not spent`() async throws {
        let store = FillableStore(tellsBefore: true)
        let setting = SessionSetting(store: store)
        let session = try await setting.signedIn()
        store.isFull = true
        setting.advance(by: 3600)
        for session in [session, setting.session(.manual)] {
            let failure = await #expect(throws: LoadError.self) { try await session.load(.get("https://api.example/")) }
            #expect((failure?.underlying as? SessionError)?.code == .storeFailed)
        }
        #expect(setting.server.tokenRequests == ["authorization_code"])
        store.isFull = false
        #expect(try await session.load(.get("https://api.example/")).status == .ok)
        #expect(!setting.server.familyIsRevoked)
    }

    @Test func `does not ask the user to sign in if the store reports that it cannot write`() async throws {
        let store = FillableStore(tellsBefore: true)
        store.isFull = true
        let setting = DeviceSetting([], device: nil, store: store)
        let failure = await #expect(throws: SessionError.self) { try await setting.session().signIn() }
        #expect(failure?.code == .storeFailed && setting.events.isEmpty)
        store.isFull = false
        let next = DeviceSetting([.tokens], store: store)
        try await next.session().signIn()
        #expect(next.events.count == 2)
    }

    @Test(arguments: [CredentialStoreError.Code.dismissed, .locked, .cancelled])
    func `a user who does not unlock the store is asked once, and not asked to sign in`(code: CredentialStoreError.Code) async throws {
        let store = ClosedStore(code)
        let setting = DeviceSetting([], device: nil, store: store)
        await #expect(throws: SessionError.self) { try await setting.session().signIn() }
        #expect(store.questions == ["read"] && setting.events.isEmpty, "\(store.questions)")
    }

    @Test func `TR49: reserves room for the new token from the check until it is stored, and then releases it`() async throws {
        let store = FillableStore(keepsRoom: true)
        let setting = SessionSetting(store: store)
        let session = try await setting.signedIn()
        let gate = Gate()
        setting.server.configure { $0.afterToken = { () async throws(LoadError) in await gate.pass() } }
        let refresh = Task { try await session.refresh() }
        await gate.untilReached()
        store.isFull = true
        gate.open()
        try await refresh.value
        await session.finish()
        #expect(store.reserved == 0)
        setting.server.configure { $0.atToken = { request throws(LoadError) in throw LoadError(.connectionLost, for: request) } }
        store.isFull = false
        await #expect(throws: SessionError.self) { try await session.refresh() }
        #expect(store.reserved == 0)
    }

    @Test(arguments: [true, false])
    func `TR50: reports a new refresh token that is not stored, and not one that stayed the same`(
        rotates: Bool
    ) async throws {
        let store = FillableStore()
        let setting = SessionSetting(store: store)
        let session = try await setting.signedIn()
        if !rotates { setting.server.configure { $0.sendsRefreshToken = false } }
        store.isFull = true
        let failure = await #expect(throws: SessionError.self) { try await session.refresh() }
        #expect(failure?.code == .storeFailed)
        #expect(failure?.refreshTokenIsSpent == rotates)
        #expect(failure?.explanation.contains("already replaced the refresh token") == rotates)
    }

    @Test func `TR51: retries a failed write of new tokens before the refresh ends`() async throws {
        let store = FillableStore()
        let setting = SessionSetting(store: store)
        let session = try await setting.signedIn()
        store.failures = Array(repeating: .failed, count: SessionSetting.storeRetryPauses.count)
        try await session.refresh()
        #expect(store.failures.isEmpty)
        #expect(try await setting.session(.manual).load(.get("https://api.example/")).status == .ok)
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token"])
        store.failures = Array(repeating: .timedOut, count: SessionSetting.storeRetryPauses.count + 1)
        let failure = await #expect(throws: SessionError.self) { try await session.refresh() }
        #expect(failure?.refreshTokenIsSpent == true)
        #expect(store.failures.isEmpty)
    }

    @Test func `TR51: cancelling the caller does not end the retries`() async throws {
        let store = FillableStore()
        let setting = SessionSetting(store: store)
        let session = try await setting.signedIn()
        let gate = Gate()
        setting.server.configure { $0.afterToken = { () async throws(LoadError) in await gate.pass() } }
        store.failures = [.failed, .locked, .full]
        let refresh = Task { try await session.refresh() }
        await gate.untilReached()
        refresh.cancel()
        gate.open()
        _ = await refresh.result
        await session.finish()
        #expect(store.failures.isEmpty)
        #expect(try await setting.session(.manual).load(.get("https://api.example/")).status == .ok)
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token"])
    }

    @Test func `TR51: asks a user who does not unlock the store for new tokens once`() async throws {
        let store = FillableStore()
        let setting = SessionSetting(store: store)
        let session = try await setting.signedIn()
        store.failures = [.dismissed, .failed]
        let failure = await #expect(throws: SessionError.self) { try await session.refresh() }
        #expect(failure?.refreshTokenIsSpent == true)
        #expect(store.failures == [.failed])
    }

    @Test func `returns no token that is not stored, and the next attempt stores it without another request to the server`() async throws {
        let store = FillableStore()
        let setting = SessionSetting(store: store)
        let session = try await setting.signedIn()
        store.isFull = true
        setting.advance(by: 3600)
        for _ in 0..<3 {
            let failure = await #expect(throws: LoadError.self) { try await session.load(.get("https://api.example/")) }
            #expect((failure?.underlying as? SessionError)?.code == .storeFailed)
        }
        #expect(setting.server.apiRequests.isEmpty)
        store.isFull = false
        #expect(try await session.load(.get("https://api.example/")).status == .ok)
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token"])
        #expect(!setting.server.familyIsRevoked)
    }

    @Test func `a sign-out revokes tokens that were never stored`() async throws {
        let store = FillableStore()
        let setting = SessionSetting(store: store)
        let session = try await setting.signedIn()
        store.isFull = true
        setting.advance(by: 3600)
        await #expect(throws: LoadError.self) { try await session.load(.get("https://api.example/")) }
        #expect(await session.signOut().isSignedOut)
        #expect(setting.server.revoked.contains("refresh-2"))
        #expect(setting.server.revoked.contains("access-2"))
    }

    @Test func `revokes tokens that arrive after a sign-out and cannot be stored`() async throws {
        let store = FillableStore()
        let setting = SessionSetting(store: store)
        let session = try await setting.signedIn()
        let gate = Gate()
        setting.server.configure { $0.afterToken = { () async throws(LoadError) in await gate.pass() } }
        let refresh = Task { try await session.refresh() }
        await gate.untilReached()
        #expect(await session.signOut().isSignedOut)
        await #expect(throws: SessionError.self) { try await refresh.value }
        store.isFull = true
        gate.open()
        await session.finish()
        #expect(setting.server.revoked == ["refresh-1", "access-1", "refresh-2", "access-2"])
    }

    @Test func `a failed sign-out keeps tokens that are not stored yet, if nothing can be deleted either`() async throws {
        let store = FillableStore()
        let setting = SessionSetting(store: store)
        let session = try await setting.signedIn()
        store.isFull = true
        setting.advance(by: 3600)
        await #expect(throws: LoadError.self) { try await session.load(.get("https://api.example/")) }
        store.refusesDeletions = true
        #expect(await session.signOut().problem?.code == .storeFailed)
        #expect(setting.server.revoked.isEmpty)
        store.isFull = false
        #expect(try await session.load(.get("https://api.example/")).status == .ok)
        #expect(setting.server.tokenRequests == ["authorization_code", "refresh_token"])
    }
}

/// A store on a disk that can be full: nothing can be written, and deleting still works.
private final class FillableStore: CredentialStore {
    private let store = MemoryCredentialStore()
    private let full = Mutex(false)
    private let readOnly = Mutex(false)
    private let tellsBefore: Bool
    private let keepsRoom: Bool
    private let room = Mutex(0)
    private let coming = Mutex<[CredentialStoreError.Code]>([])

    /// - Parameters:
    ///   - tellsBefore: Whether the store already reports before a write that it is full, and not only when writing.
    ///   - keepsRoom: Whether the store accepts a write for which room has been reserved.
    init(tellsBefore: Bool = false, keepsRoom: Bool = false) {
        self.tellsBefore = tellsBefore
        self.keepsRoom = keepsRoom
    }

    /// The error codes of the next writes.
    var failures: [CredentialStoreError.Code] {
        get { coming.withLock { $0 } }
        set { coming.withLock { $0 = newValue } }
    }

    var reserved: Int { room.withLock { $0 } }

    func reserveRoom(for account: CredentialAccount) async throws(CredentialStoreError) -> RoomReservation {
        try await prepareToWrite(for: account)
        if keepsRoom { room.withLock { $0 = 1 } }
        return RoomReservation { [self] in room.withLock { $0 = 0 } }
    }

    var isFull: Bool {
        get { full.withLock { $0 } }
        set { full.withLock { $0 = newValue } }
    }

    var refusesDeletions: Bool {
        get { readOnly.withLock { $0 } }
        set { readOnly.withLock { $0 = newValue } }
    }

    func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        try await store.read(account)
    }

    func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        if let code = coming.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw CredentialStoreError(code, "the write failed") }
        guard !isFull || reserved > 0 else { throw CredentialStoreError(.full, "no space is left") }
        return try await store.write(payload, for: account, replacing: expected)
    }

    func prepareToWrite(for account: CredentialAccount) async throws(CredentialStoreError) {
        if tellsBefore, isFull { throw CredentialStoreError(.full, "no space is left") }
    }

    func delete(_ account: CredentialAccount, at expected: CredentialVersion?) async throws(CredentialStoreError) -> Bool {
        guard !refusesDeletions else { throw CredentialStoreError(.refused, "the folder is read-only") }
        return try await store.delete(account, at: expected)
    }

    func accounts() async throws(CredentialStoreError) -> [CredentialAccount] { try await store.accounts() }

    func lease(_ account: CredentialAccount, waitingAtMost timeout: Duration) async throws(CredentialStoreError) -> CredentialLease {
        try await store.lease(account, waitingAtMost: timeout)
    }
}

/// A store that the user must unlock first, which never happens.
private final class ClosedStore: CredentialStore {
    private let store = MemoryCredentialStore()
    private let asked = Mutex([String]())
    private let code: CredentialStoreError.Code

    init(_ code: CredentialStoreError.Code) {
        self.code = code
    }

    var questions: [String] { asked.withLock { $0 } }

    private func ask(_ question: String) -> CredentialStoreError {
        asked.withLock { $0.append(question) }
        return CredentialStoreError(code, "the store was not opened")
    }

    func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? { throw ask("read") }

    func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        throw ask("write")
    }

    func prepareToWrite(for account: CredentialAccount) async throws(CredentialStoreError) { throw ask("prepareToWrite") }

    func delete(_ account: CredentialAccount, at expected: CredentialVersion?) async throws(CredentialStoreError) -> Bool {
        throw ask("delete")
    }

    func accounts() async throws(CredentialStoreError) -> [CredentialAccount] { throw ask("accounts") }

    func lease(_ account: CredentialAccount, waitingAtMost timeout: Duration) async throws(CredentialStoreError) -> CredentialLease {
        try await store.lease(account, waitingAtMost: timeout)
    }
}
