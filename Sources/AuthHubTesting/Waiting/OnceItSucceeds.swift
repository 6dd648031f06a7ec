/// Repeats an action until it succeeds, for at most two minutes: for example, binding a port that was closed a moment ago.
///
/// A program that another test is just starting has a copy of all descriptors of this process until it executes, which keeps such a port
/// occupied.
///
/// - Throws: The error of the last attempt.
package func onceItSucceeds<Value>(_ action: () async throws -> sending Value) async throws -> sending Value {
    let end = ContinuousClock.now + .seconds(120)
    while true {
        do {
            return try await action()
        } catch {
            guard ContinuousClock.now < end else { throw error }
            try await Task.sleep(for: .milliseconds(10))  // there is no event for that program's exec
        }
    }
}
