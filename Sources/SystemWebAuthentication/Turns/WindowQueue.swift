#if canImport(Darwin) || AUTHENTICATION_SERVICES_ON_LINUX
/// A queue that shows one window at a time: the system does not show a second one, not even while the first one closes.
@MainActor
final class WindowQueue {
    /// The queue of the program, which has one user in front of it.
    nonisolated static let shared = WindowQueue()

    private var last: Task<Void, Never>?

    nonisolated init() {}

    /// Adds a window.
    ///
    /// - Parameter show: Runs when all preceding windows are closed, and returns when the next one may open.
    func add(_ show: @escaping @MainActor @Sendable () async -> Void) {
        last = Task { [last] in
            await last?.value
            await show()
        }
    }
}
#endif
