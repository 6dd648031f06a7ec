#if canImport(Darwin) || AUTHENTICATION_SERVICES_ON_LINUX
/// One window at a time: the system shows no second one, and none while the first one goes.
@MainActor
final class WindowQueue {
    /// That of the program, which has one person in front of it.
    nonisolated static let shared = WindowQueue()

    private var last: Task<Void, Never>?

    nonisolated init() {}

    /// - Parameter show: Runs when everyone who came before is done, and returns when the next one may begin.
    func add(_ show: @escaping @MainActor @Sendable () async -> Void) {
        last = Task { [last] in
            await last?.value
            await show()
        }
    }
}
#endif
