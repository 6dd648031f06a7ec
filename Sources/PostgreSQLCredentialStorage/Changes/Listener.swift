#if PostgreSQL
import CredentialStorage
import Platform
import Synchronization

/// The store's listening connection, on a separate thread: opened for the first listener, and closed some time after the last one has left.
final class Listener: Sendable {
    struct State {
        var changes: [UInt64: AsyncStream<CredentialChange>.Continuation] = [:]
        var wakes: [UInt64: (account: CredentialAccount.ID, continuation: AsyncStream<Void>.Continuation)] = [:]
        var tickets: UInt64 = 0
        var isRunning = false
        var isStopped = false
        var interrupter: Interrupter?

        var isWanted: Bool { !isStopped && !(changes.isEmpty && wakes.isEmpty) }
    }

    private let state = Mutex(State())
    private let calls = BlockingCalls(named: "PostgreSQL listening", concurrent: false)
    private let connect: Connection.Connect
    private let schema: Schema
    private let idle: Duration

    init(_ database: Database) {
        connect = database.connect
        schema = database.schema
        idle = database.limits.idle
    }
}

extension Listener {
    /// Returns the changes from now on, by any writer.
    func changes() -> AsyncStream<CredentialChange> {
        let (stream, continuation) = AsyncStream.makeStream(of: CredentialChange.self, bufferingPolicy: .bufferingNewest(1_024))
        add(continuation) { $0.changes[$1] = continuation }
        return stream
    }

    /// Returns a stream that yields a value whenever the account's lease may have become free.
    func wakes(_ account: CredentialAccount.ID) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        add(continuation) { $0.wakes[$1] = (account, continuation) }
        return stream
    }

    /// Adds a listener, until its stream ends.
    private func add<Element>(
        _ continuation: AsyncStream<Element>.Continuation, _ enter: (inout State, _ ticket: UInt64) -> Void
    ) {
        let (ticket, begins, isStopped) = state.withLock { state in
            state.tickets += 1
            if !state.isStopped { enter(&state, state.tickets) }
            let begins = !state.isRunning && !state.isStopped
            if begins { state.isRunning = true }
            return (state.tickets, begins, state.isStopped)
        }
        guard !isStopped else { return continuation.finish() }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { state in
                state.changes[ticket] = nil
                state.wakes[ticket] = nil
            }
        }
        if begins { Task { await calls.run { self.run() } } }
    }

    /// Stops listening permanently, and ends the streams of all listeners.
    func stop() {
        let (interrupter, changes, wakes) = state.withLock { state in
            state.isStopped = true
            defer { (state.changes, state.wakes) = ([:], [:]) }
            return (state.interrupter, state.changes.values.map { $0 }, state.wakes.values.map(\.continuation))
        }
        interrupter?.fire()
        for continuation in changes { continuation.finish() }
        for continuation in wakes { continuation.finish() }
    }

    private func run() {
        var pause = Duration.milliseconds(50)
        while let interrupter = begin() {
            let start = ContinuousClock.now
            do throws(DatabaseError) {
                try listen(interrupter)
            } catch {
                guard error.kind != .interrupted else { continue }
                // The longer the connection worked, the sooner it is retried.
                pause = start.duration(to: .now) > .seconds(30) ? .milliseconds(50) : min(pause * 2, .seconds(5))
                _ = interrupter.wait(for: nil, until: .now + pause.jittered)
            }
        }
    }

    /// Begins to listen.
    ///
    /// - Returns: nil if there are no listeners left; then the thread ends.
    private func begin() -> Interrupter? {
        while true {
            let interrupter = try? Interrupter()
            let isWanted = state.withLock { state in
                if state.isWanted { state.interrupter = interrupter } else { state.isRunning = false }
                return state.isWanted
            }
            guard isWanted else { return nil }
            if let interrupter { return interrupter }
            // This process has no descriptors left: that is not a reason to give up the listeners.
            _ = poll(nil, 0, 1_000)
        }
    }

    /// Listens until there were no listeners for some time.
    private func listen(_ interrupter: Interrupter) throws(DatabaseError) {
        let session = try connect(interrupter, .now + .seconds(10))
        try session.run(text: "LISTEN \"\(schema.changesChannel)\"; LISTEN \"\(schema.leasesChannel)\"")
        missedSome()
        while true {
            let heard = try session.notifications(within: idle)
            for (channel, text) in heard { tell(channel, text) }
            if heard.isEmpty, !state.withLock({ $0.isWanted }) { return }
        }
    }

    /// Reports that changes may have been missed before the listening began: listeners re-read the store.
    private func missedSome() {
        let (changes, wakes) = state.withLock { ($0.changes.values.map { $0 }, $0.wakes.values.map(\.continuation)) }
        for continuation in changes { continuation.yield(.missedSome) }
        for continuation in wakes { continuation.yield() }
    }

    private func tell(_ channel: String, _ text: String) {
        if channel == schema.leasesChannel {
            guard let account = [UInt8](hexadecimalDigits: text).map(CredentialAccount.ID.init) else { return }
            for wake in state.withLock({ $0.wakes.values.filter { $0.account == account } }) { wake.continuation.yield() }
            return
        }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let account = [UInt8](hexadecimalDigits: parts[0]), let version = [UInt8](hexadecimalDigits: parts[1])
        else {
            return
        }
        let change = CredentialChange.changed(
            CredentialAccount.ID(bytes: account), to: version.isEmpty ? nil : CredentialVersion(bytes: version))
        for continuation in state.withLock({ $0.changes.values.map { $0 } }) {
            // A listener that does not keep up is notified of that.
            if case .dropped = continuation.yield(change) { continuation.yield(.missedSome) }
        }
    }
}
#endif
