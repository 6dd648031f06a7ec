/// A task that belongs to its owner: deallocating this object cancels it.
final class OwnedTask: Sendable {
    private let task: Task<Void, Never>

    /// Starts a task.
    ///
    /// - Parameter work: The work. It must hold its owner weakly, because otherwise neither would be deallocated.
    init(_ work: @escaping @MainActor () async -> Void) {
        task = Task { @MainActor in await work() }
    }

    deinit {
        task.cancel()
    }

    func cancel() { task.cancel() }

    /// Waits until the work has ended.
    func end() async { await task.value }
}
