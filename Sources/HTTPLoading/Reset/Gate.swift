import Synchronization

/// Lets loads into a chain, knows which are under way, and is closed while the chain is reset.
final class Gate: Sendable {
    private enum Door {
        case open
        case closed
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
        /// The one under way.
        var reset: Task<ResetReport, Never>?
        var turnedBack: [Waiter<Void>] = []
        var lastLeaves: Waiter<Void>?
    }

    /// The resets that the current task works for: it would wait for itself if it waited for one of them. Tasks that a reset leaves behind
    /// have it here, too, when it has long ended.
    @TaskLocal private static var ownResets: [ObjectIdentifier: Epoch] = [:]

    private let state = Mutex(State())

    /// The epoch that begins with the reset of this gate that the current task works for, if it does.
    var epochOfOwnReset: Epoch? { state.withLock { epochOfOwnReset($0) } }

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
            if let task = state.reset { return task }
            state.epoch.number += 1
            let epoch = state.epoch
            let task = Task.detached { [ownResets = Self.ownResets] in
                await Self.$ownResets.withValue(ownResets.merging([ObjectIdentifier(self): epoch]) { $1 }) { await perform(epoch) }
            }
            state.reset = task
            // A chain that was shut down stays so, and is emptied all the same.
            if state.door == .open { state.door = .closed }
            return task
        }
    }

    /// The reset has ended: opens the gate for those who wait, and those to come.
    func open() {
        let waiters = state.withLock { state in
            state.reset = nil
            if state.door == .closed { state.door = .open }
            return state.turnedBack.takeAll()
        }
        for waiter in waiters { waiter.settle(()) }
    }

    func shut() {
        let waiters = state.withLock { state in
            state.door = .shut
            return state.turnedBack.takeAll()
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
            case .closed:
                guard request.options[WhileResetting.self] == .wait, epochOfOwnReset(state) == nil else {
                    return .refused(LoadError(.resetInProgress, for: request))
                }
                let waiter = Waiter<Void>()
                state.turnedBack.append(waiter)
                return .waiting(waiter)
            case .shut:
                return .refused(LoadError(.shutDown, for: request))
            }
        }
    }

    private func epochOfOwnReset(_ state: State) -> Epoch? {
        guard state.reset != nil, let epoch = Self.ownResets[ObjectIdentifier(self)], epoch == state.epoch else { return nil }
        return epoch
    }
}

extension Array {
    fileprivate mutating func takeAll() -> Self {
        defer { self = [] }
        return self
    }
}
