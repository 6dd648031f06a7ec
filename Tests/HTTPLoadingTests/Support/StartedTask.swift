/// Returns a task that has run up to its first suspension, on systems that can start a task in this way.
func startedTask<Value: Sendable>(_ operation: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        Task.immediate { await operation() }
    } else {
        Task { await operation() }
    }
}
