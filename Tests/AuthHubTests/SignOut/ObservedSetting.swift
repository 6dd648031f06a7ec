import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Synchronization

/// A session whose store, server and page record events in order.
struct ObservedSetting: Sendable {
    let events = NotedEvents()
    let clock = TestClock()
    let server = RotatingServer()
    let store: NotingStore
    let transport: ObservedTransport
    let session: OAuthSession

    /// - Parameter revocation: Called before the response to a revocation request.
    init(
        person: @escaping @Sendable (String) async -> ScriptedBrowser.Visit = consenting, revocation: (@Sendable () async -> Void)? = nil,
        profile: ProviderProfile = SessionSetting.profile
    ) {
        store = NotingStore(events: events)
        transport = ObservedTransport(server: server, events: events, revocation: revocation)
        var dependencies = Dependencies(transport: transport) { start }
        dependencies.clock = LoadClock(clock)
        session = OAuthSession(
            server: profile, client: OAuthClient(id: "client"), scope: ["read"], browser: ScriptedBrowser(visit: person), store: store,
            dependencies: dependencies)
    }

    /// Another session of the same account.
    func otherSession() -> OAuthSession {
        OAuthSession(
            server: SessionSetting.profile, client: OAuthClient(id: "client"), browser: ScriptedBrowser(visit: consenting), store: store,
            dependencies: Dependencies(transport: server) { start })
    }

    func signedIn() async throws -> Self {
        try await session.signIn()
        events.clear()
        return self
    }
}

final class NotedEvents: Sendable {
    private let entries = Mutex<[String]>([])

    var all: [String] { entries.withLock { $0 } }

    func add(_ entry: String) { entries.withLock { $0.append(entry) } }
    func clear() { entries.withLock { $0 = [] } }
}

/// A store that records deletions, and can hold back the first read or make deletions fail.
final class NotingStore: CredentialStore {
    private let memory = MemoryCredentialStore()
    private let events: NotedEvents
    private let nextRead = Mutex<Gate?>(nil)
    private let refusesDeletions = Mutex(false)

    init(events: NotedEvents) {
        self.events = events
    }

    func holdNextRead(at gate: Gate) { nextRead.withLock { $0 = gate } }
    func refuseDeletions() { refusesDeletions.withLock { $0 = true } }

    func read(_ account: CredentialAccount) async throws(CredentialStoreError) -> StoredCredential? {
        let gate = nextRead.withLock { gate in
            defer { gate = nil }
            return gate
        }
        let stored = try await memory.read(account)
        await gate?.pass()
        return stored
    }

    func write(
        _ payload: Secret<[UInt8]>, for account: CredentialAccount, replacing expected: CredentialVersion?
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        try await memory.write(payload, for: account, replacing: expected)
    }

    func delete(_ account: CredentialAccount, at expected: CredentialVersion?) async throws(CredentialStoreError) -> Bool {
        guard !refusesDeletions.withLock({ $0 }) else { throw CredentialStoreError(.refused, "the folder is read-only") }
        defer { if account.isListed { events.add("deleted") } }
        return try await memory.delete(account, at: expected)
    }

    func accounts() async throws(CredentialStoreError) -> [CredentialAccount] { try await memory.accounts() }

    func lease(
        _ account: CredentialAccount, waitingAtMost timeout: Duration
    ) async throws(CredentialStoreError) -> CredentialLease {
        try await memory.lease(account, waitingAtMost: timeout)
    }
}

/// A transport that records requests and their cancellations. `/slow` never responds, and the body of `/endless` never ends.
final class ObservedTransport: Transport {
    private let server: RotatingServer
    private let events: NotedEvents
    private let revocation: (@Sendable () async -> Void)?
    let slow = Gate()

    init(server: RotatingServer, events: NotedEvents, revocation: (@Sendable () async -> Void)?) {
        self.server = server
        self.events = events
        self.revocation = revocation
    }

    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        let path = request.head.path ?? ""
        events.add("sent \(path)")
        switch path {
        case "/slow":
            await slow.pass(noting: events)
            throw LoadError(.cancelled, for: request)
        case "/endless":
            return LoadResponse(
                HTTPResponse(status: .ok),
                body: ResponseBody(cancel: { [events] in events.add("body cut") }) { () async throws(LoadError) in Array("more".utf8)[...] }
            )
        case "/revoke":
            await revocation?()
        default: break
        }
        return try await server.send(request)
    }
}

extension Gate {
    /// Waits until the task is cancelled, and records the cancellation.
    fileprivate func pass(noting events: NotedEvents) async {
        await withTaskCancellationHandler {
            await pass()
        } onCancel: {
            events.add("load cancelled")
            open()
        }
    }
}
