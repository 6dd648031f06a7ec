import Dispatch

/// Threads for calls that block, such as a password prompt for the user or a service that does not respond.
///
/// Swift runs tasks on only as many threads as the processor has cores. Blocked threads can stop all tasks of the program.
package struct BlockingCalls: Sendable {
    private let queue: DispatchQueue

    /// Creates a runner for blocking calls.
    ///
    /// - Parameter name: A name that debuggers show.
    package init(named name: String, concurrent: Bool) {
        queue = DispatchQueue(label: name, attributes: concurrent ? .concurrent : [])
    }

    /// Runs a call on a separate thread and waits without blocking the caller's thread. The call cannot be cancelled, so it must end on its
    /// own.
    package func run<Success: Sendable, Failure: Error>(
        _ call: @escaping @Sendable () throws(Failure) -> Success
    ) async throws(Failure) -> Success {
        let (attempts, warnings) = (PassphraseAttempts.current, SecretFileWarnings.current)
        return try await withCheckedContinuation { continuation in
            queue.async {
                let result = PassphraseAttempts.$current.withValue(attempts) {
                    SecretFileWarnings.$current.withValue(warnings) { Result(catching: call) }
                }
                continuation.resume(returning: result)
            }
        }.get()
    }
}
