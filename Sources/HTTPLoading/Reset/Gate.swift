import Synchronization

/// The entrance to a chain. It knows the requests in progress and is closed during a reset.
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
        /// The reset in progress.
        var reset: (own: OwnReset, task: Task<ResetReport, Never>)?
        var turnedBack: [Waiter<Void>] = []
        var lastLeaves: Waiter<Void>?
    }

    /// The resets that the current task works for. A task that outlives its reset still has that reset here.
    @TaskLocal private static var ownResets: [OwnReset] = []

    private let state = Mutex(State())

    /// Admits a request to the chain.
    ///
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

    /// Closes the gate, starts the next epoch and waits for its reset, or joins the reset in progress.
    ///
    /// A task that works for a reset does not join a reset in progress, whether of this chain or another one, because the two might wait
    /// for each other. It only waits for resets that it has started itself.
    func reset(_ perform: @escaping @Sendable (Epoch) async -> ResetReport) async -> ResetReport {
        let ownResets = Self.resetsUnderWay
        let (task, epoch) = state.withLock { state -> (Task<ResetReport, Never>?, Epoch) in
            if let running = state.reset { return (ownResets.isEmpty ? running.task : nil, state.epoch) }
            state.epoch.number += 1
            let reset = OwnReset(epoch: state.epoch)
            let task = Task.detached { await Self.$ownResets.withValue(ownResets + [reset]) { await perform(reset.epoch) } }
            state.reset = (reset, task)
            // A chain that was shut down stays shut down, but its requests are cancelled nevertheless.
            if state.door == .open { state.door = .closed }
            return (task, state.epoch)
        }
        return await task?.value ?? ResetReport(epoch: epoch)
    }

    /// Opens the gate after a reset, for waiting and later requests.
    func open() {
        let waiters = state.withLock { state in
            state.reset?.own.end()
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

    /// Cancels all requests in progress.
    ///
    /// - Returns: Their number.
    func cancelAll(explanation: String) -> Int {
        let loads = state.withLock { $0.running.all }
        for load in loads { load.cancel(LoadError(.cancelled, explanation: explanation)) }
        return loads.count
    }

    /// Waits until no request is in progress, or the waiting task is cancelled.
    ///
    /// - Returns: The number of requests that are still in progress.
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
                guard request.options[WhileResetting.self] == .wait, Self.resetsUnderWay.isEmpty else {
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

    /// Whether the current task works for a reset. Such a task must not wait for work that waits for that reset.
    static var isPerformingReset: Bool { !resetsUnderWay.isEmpty }

    private static var resetsUnderWay: [OwnReset] { ownResets.filter { !$0.hasEnded } }
}

/// A reset, as seen by the tasks that work for it.
private final class OwnReset: Sendable {
    let epoch: Epoch
    private let ended = Mutex(false)

    init(epoch: Epoch) {
        self.epoch = epoch
    }

    var hasEnded: Bool { ended.withLock { $0 } }

    func end() {
        ended.withLock { $0 = true }
    }
}

extension Array {
    fileprivate mutating func takeAll() -> Self {
        defer { self = [] }
        return self
    }
}
