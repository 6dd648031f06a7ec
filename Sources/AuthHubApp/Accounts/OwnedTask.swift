/// Work that ends with whoever began it: let go of, it is cancelled.
final class OwnedTask: Sendable {
    private let task: Task<Void, Never>

    /// - Parameter work: Holds its owner weakly; else neither would ever go.
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
