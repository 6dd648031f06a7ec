#if canImport(Darwin) || AUTHENTICATION_SERVICES_ON_LINUX
/// A value that is set once. The first value counts, and any number of tasks can wait for it.
@MainActor
final class FirstValue<Value: Sendable> {
    private(set) var value: Value?
    private var waiting: [CheckedContinuation<Value, Never>] = []

    nonisolated init() {}

    func set(_ newValue: Value) {
        guard value == nil else { return }
        value = newValue
        let continuations = waiting
        waiting = []
        for continuation in continuations { continuation.resume(returning: newValue) }
    }

    /// Waits for the value. Cancelling the waiting task has no effect.
    func wait() async -> Value {
        if let value { return value }
        return await withCheckedContinuation { waiting.append($0) }
    }
}
#endif
