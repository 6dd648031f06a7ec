import Dispatch

/// Threads for calls that block: a person who is asked for a password, a service that does not answer.
///
/// Swift's own threads are as few as the processor's cores, and one that waits keeps all tasks of the program waiting.
package struct BlockingCalls: Sendable {
    private let queue: DispatchQueue

    /// - Parameter name: Shown by debuggers.
    package init(named name: String, concurrent: Bool) {
        queue = DispatchQueue(label: name, attributes: concurrent ? .concurrent : [])
    }

    /// Runs a call on a thread of its own, and waits without keeping the caller's. It cannot be cancelled; give it an end.
    package func run<Success: Sendable, Failure: Error>(
        _ call: @escaping @Sendable () throws(Failure) -> Success
    ) async throws(Failure) -> Success {
        let attempts = PassphraseAttempts.current
        return try await withCheckedContinuation { continuation in
            queue.async {
                continuation.resume(returning: PassphraseAttempts.$current.withValue(attempts) { Result(catching: call) })
            }
        }.get()
    }
}
