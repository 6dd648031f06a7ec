#if PostgreSQL
import AuthHubPrimitives
import CredentialStorage
import Synchronization

/// A limited number of connections, which are opened when needed and closed when they have been idle for some time.
final class ConnectionPool: Sendable {
    private struct State {
        var idle: [(connection: Connection, since: ContinuousClock.Instant)] = []
        /// The number of connections, both idle and in use.
        var count = 0
        var waiting: [(ticket: UInt64, continuation: CheckedContinuation<Grant?, Never>)] = []
        var tickets: UInt64 = 0
        var isTidying = false
    }

    private enum Grant: Sendable {
        case connection(Connection)
        /// Permission to open a connection.
        case place
    }

    private let state = Mutex(State())
    private let limits: PostgreSQLCredentialStore.Limits
    private let make: @Sendable () throws(DatabaseError) -> Connection

    init(limits: PostgreSQLCredentialStore.Limits, make: @escaping @Sendable () throws(DatabaseError) -> Connection) {
        self.limits = limits
        self.make = make
    }

    /// The number of connections, and how many of them are idle.
    var census: (all: Int, idle: Int) {
        state.withLock { ($0.count, $0.idle.count) }
    }
}

extension ConnectionPool {
    /// Returns a connection for the exclusive use of the caller, who must give it back.
    ///
    /// - Parameter isUrgent: Whether the caller goes ahead of those already waiting.
    func take(isUrgent: Bool) async throws(CredentialStoreError) -> Connection {
        let granted: Grant?
        switch grantNow() {
        case let grant?: granted = grant
        case nil: granted = await waitForGrant(isUrgent: isUrgent)
        }
        switch granted {
        case .connection(let connection): return connection
        case .place:
            do {
                return try make()
            } catch {
                leavePlace()
                throw CredentialStoreError(error, changing: false)
            }
        case nil:
            guard !Task.isCancelled else { throw CredentialStoreError(.interruption, changing: false) }
            throw CredentialStoreError(
                .timedOut,
                "all \(limits.connections) connections to PostgreSQL have been in use for \(limits.connectionWait.inWords); nothing was sent; raise the store's connection limit, or check the server's load"
            )
        }
    }

    func giveBack(_ connection: Connection, isUsable: Bool) {
        guard isUsable else { return leavePlace() }
        let waiter = state.withLock { state -> CheckedContinuation<Grant?, Never>? in
            if !state.waiting.isEmpty { return state.waiting.removeFirst().continuation }
            state.idle.append((connection, .now))
            return nil
        }
        if let waiter { waiter.resume(returning: .connection(connection)) } else { tidyLater() }
    }

    private func leavePlace() {
        let waiter = state.withLock { state -> CheckedContinuation<Grant?, Never>? in
            if !state.waiting.isEmpty { return state.waiting.removeFirst().continuation }
            state.count -= 1
            return nil
        }
        waiter?.resume(returning: .place)
    }

    private func grantNow() -> Grant? {
        state.withLock { Self.grant(&$0, limits) }
    }

    private static func grant(_ state: inout State, _ limits: PostgreSQLCredentialStore.Limits) -> Grant? {
        if let last = state.idle.popLast() { return .connection(last.connection) }
        guard state.count < limits.connections else { return nil }
        state.count += 1
        return .place
    }

    private func waitForGrant(isUrgent: Bool) async -> Grant? {
        let ticket = state.withLock { state in
            state.tickets += 1
            return state.tickets
        }
        let timer = Task { [limits] in
            try? await Task.sleep(for: limits.connectionWait)
            if !Task.isCancelled { giveUp(ticket) }
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A cancellation before this point found no waiter to resume.
                if Task.isCancelled { return continuation.resume(returning: nil) }
                if let grant = enter(ticket, continuation, isUrgent: isUrgent) { continuation.resume(returning: grant) }
                if Task.isCancelled { giveUp(ticket) }
            }
        } onCancel: {
            giveUp(ticket)
        }
    }

    /// Enters the queue.
    ///
    /// - Returns: The connection or place that has become free in the meantime.
    private func enter(_ ticket: UInt64, _ continuation: CheckedContinuation<Grant?, Never>, isUrgent: Bool) -> Grant? {
        // Under one lock: otherwise, a connection that becomes free in between would stay idle while a caller waits.
        state.withLock { state in
            if let grant = Self.grant(&state, limits) { return grant }
            state.waiting.insert((ticket, continuation), at: isUrgent ? 0 : state.waiting.count)
            return nil
        }
    }

    private func giveUp(_ ticket: UInt64) {
        let waiter = state.withLock { state -> CheckedContinuation<Grant?, Never>? in
            guard let index = state.waiting.firstIndex(where: { $0.ticket == ticket }) else { return nil }
            return state.waiting.remove(at: index).continuation
        }
        waiter?.resume(returning: nil)
    }
}

extension ConnectionPool {
    /// Schedules closing idle connections. One task at a time does that, and it does not keep the pool alive.
    private func tidyLater() {
        let begins = state.withLock { state in
            defer { state.isTidying = true }
            return !state.isTidying
        }
        guard begins else { return }
        Task { [weak self, idle = limits.idle] in
            repeat { try? await Task.sleep(for: idle) } while self?.tidy() == true
        }
    }

    /// Closes connections that were idle for long enough.
    ///
    /// - Returns: Whether connections are left that may have to be closed later.
    private func tidy() -> Bool {
        let (isLeft, old) = state.withLock { state -> (Bool, [Connection]) in
            let limit = ContinuousClock.now - limits.idle
            let old = state.idle.filter { $0.since <= limit }.map(\.connection)
            state.idle.removeAll { $0.since <= limit }
            state.count -= old.count
            state.isTidying = !state.idle.isEmpty
            return (state.isTidying, old)
        }
        // Closed here, outside the lock.
        withExtendedLifetime(old) {}
        return isLeft
    }
}
#endif
