import Synchronization

/// A queue that admits one task at a time for each key, within this process, first come, first served.
package final class Turns<Key: Hashable & Sendable>: Sendable {
    private struct State {
        var queues: [Key: LeaseQueue] = [:]
        var waiters: [LeaseQueue.Ticket: CheckedContinuation<Void, Never>] = [:]
        var tickets: UInt64 = 0
    }

    private let state = Mutex(State())
    private let clock: any Clock<Duration>

    /// Creates a queue.
    ///
    /// - Parameter clock: Measures the waiting time.
    package init(clock: any Clock<Duration> = ContinuousClock()) {
        self.clock = clock
    }
}

extension Turns {
    /// A turn that a task has.
    package struct Turn: Sendable {
        fileprivate let turns: Turns
        fileprivate let key: Key
        fileprivate let ticket: LeaseQueue.Ticket

        /// Ends the turn, so that the next task gets it. Harmless if called again.
        package func end() { turns.end(ticket, key) }
    }

    /// Waits for the turn. A free turn is given even to a cancelled task.
    ///
    /// - Returns: nil if the time is over, or the task was cancelled while it waited.
    package func take(_ key: Key, waitingAtMost timeout: Duration) async -> Turn? {
        let ticket = enter(key)
        if !holds(ticket, key) { await wait(for: ticket, key, atMost: timeout.boundedWait) }
        return holds(ticket, key) ? Turn(turns: self, key: key, ticket: ticket) : nil
    }

    private func enter(_ key: Key) -> LeaseQueue.Ticket {
        state.withLock { state in
            state.tickets += 1
            let ticket = LeaseQueue.Ticket(number: state.tickets)
            state.queues[key, default: LeaseQueue()].enter(ticket)
            return ticket
        }
    }

    private func holds(_ ticket: LeaseQueue.Ticket, _ key: Key) -> Bool {
        state.withLock { $0.queues[key]?.holder == ticket }
    }

    /// Returns when the ticket has the turn, or has stopped waiting for it.
    private func wait(for ticket: LeaseQueue.Ticket, _ key: Key, atMost timeout: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait(for: ticket, key) }
            group.addTask { try? await self.clock.sleep(for: timeout) }
            await group.next()
            group.cancelAll()
        }
    }

    private func wait(for ticket: LeaseQueue.Ticket, _ key: Key) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    // A cancellation before this point found no continuation to resume.
                    if Task.isCancelled { state.queues[key]?.giveUp(ticket) }
                    guard state.queues[key]?.isWaiting(ticket) == true else { return false }
                    state.waiters[ticket] = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.queues[key]?.giveUp(ticket)
                return state.waiters.removeValue(forKey: ticket)
            }
            waiter?.resume()
        }
    }

    private func end(_ ticket: LeaseQueue.Ticket, _ key: Key) {
        let waiter = state.withLock { state in
            let next = state.queues[key]?.release(ticket)
            if state.queues[key]?.holder == nil { state.queues[key] = nil }
            return next.flatMap { state.waiters.removeValue(forKey: $0) }
        }
        waiter?.resume()
    }
}
