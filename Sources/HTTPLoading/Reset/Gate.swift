import Synchronization

/// Lets loads into a chain, knows which are under way, and is closed while the chain is reset.
final class Gate: Sendable {
    private enum Door {
        case open
        case resetting(Task<ResetReport, Never>, turnedBack: [Waiter<Void>])
        case shut
    }

    private enum Entry {
        case entered(RunningLoad)
        case refused(LoadError)
        case waiting(Waiter<Void>)
    }

    private struct State {
        var door = Door.open
        var epoch = Epoch()
        var running = RunningLoads()
        var lastLeaves: Waiter<Void>?
    }

    /// The resets that the current task works for: it would wait for itself if it waited for one of them.
    @TaskLocal private static var ownResets: [ObjectIdentifier: Epoch] = [:]

    private let state = Mutex(State())

    /// The epoch that begins with the reset of this gate that the current task works for, if it does.
    var epochOfOwnReset: Epoch? { Self.ownResets[ObjectIdentifier(self)] }

    /// - Throws: ``LoadError`` with `.resetInProgress`, `.shutDown` or `.cancelled`.
    func enter(_ request: LoadRequest) async throws(LoadError) -> RunningLoad {
        while true {
            switch tryEntering(request) {
            case .entered(let load): return load
            case .refused(let error): throw error
            case .waiting(let waiter):
                await waiter.wait(orIfCancelled: ())
                guard !Task.isCancelled else { throw LoadError(.cancelled, for: request) }
            }
        }
    }

    func leave(_ load: RunningLoad) {
        let waiter = state.withLock { state -> Waiter<Void>? in
            state.running.remove(load)
            guard state.running.isEmpty else { return nil }
            defer { state.lastLeaves = nil }
            return state.lastLeaves
        }
        waiter?.settle(())
    }

    /// Closes the gate and begins the next epoch; joins the reset that is under way.
    func reset(_ perform: @escaping @Sendable (Epoch) async -> ResetReport) -> Task<ResetReport, Never> {
        state.withLock { state in
            if case .resetting(let task, _) = state.door { return task }
            state.epoch.number += 1
            let epoch = state.epoch
            let task = Task.detached { [ownResets = Self.ownResets] in
                await Self.$ownResets.withValue(ownResets.merging([ObjectIdentifier(self): epoch]) { $1 }) { await perform(epoch) }
            }
            // A chain that was shut down stays so, and is emptied all the same.
            if case .open = state.door { state.door = .resetting(task, turnedBack: []) }
            return task
        }
    }

    /// Opens the gate for those who wait, and those to come.
    func open() {
        let waiters = state.withLock { state -> [Waiter<Void>] in
            guard case .resetting(_, let waiters) = state.door else { return [] }
            state.door = .open
            return waiters
        }
        for waiter in waiters { waiter.settle(()) }
    }

    func shut() {
        let waiters = state.withLock { state -> [Waiter<Void>] in
            defer { state.door = .shut }
            guard case .resetting(_, let waiters) = state.door else { return [] }
            return waiters
        }
        for waiter in waiters { waiter.settle(()) }
    }

    /// Cancels all loads that are under way.
    ///
    /// - Returns: How many there were.
    func cancelAll(explanation: String) -> Int {
        let loads = state.withLock { $0.running.all }
        for load in loads { load.cancel(LoadError(.cancelled, explanation: explanation)) }
        return loads.count
    }

    /// Waits until no load is under way, or the waiting task is cancelled.
    ///
    /// - Returns: How many there still are.
    func untilEmpty() async -> Int {
        let waiter = Waiter<Void>()
        let isEmpty = state.withLock { state in
            guard !state.running.isEmpty else { return true }
            state.lastLeaves = waiter
            return false
        }
        if !isEmpty { await waiter.wait(orIfCancelled: ()) }
        return state.withLock { $0.running.count }
    }

    private func tryEntering(_ request: LoadRequest) -> Entry {
        state.withLock { state in
            switch state.door {
            case .open:
                return .entered(state.running.begin(in: state.epoch))
            case .resetting(let task, var waiters):
                guard request.options[WhileResetting.self] == .wait, epochOfOwnReset == nil else {
                    return .refused(LoadError(.resetInProgress, for: request))
                }
                let waiter = Waiter<Void>()
                waiters.append(waiter)
                state.door = .resetting(task, turnedBack: waiters)
                return .waiting(waiter)
            case .shut:
                return .refused(LoadError(.shutDown, for: request))
            }
        }
    }
}
