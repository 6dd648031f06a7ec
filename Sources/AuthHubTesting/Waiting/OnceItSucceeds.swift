/// Does what cannot be done at once, such as binding a port that was closed a moment ago, until it succeeds; for two minutes at most.
///
/// A program that another test is just starting has a copy of every descriptor of this process until it runs, and keeps such a port taken.
///
/// - Throws: What the last attempt threw.
package func onceItSucceeds<Value>(_ action: () async throws -> sending Value) async throws -> sending Value {
    let end = ContinuousClock.now + .seconds(120)
    while true {
        do {
            return try await action()
        } catch {
            guard ContinuousClock.now < end else { throw error }
            try await Task.sleep(for: .milliseconds(10))  // nothing tells when that program runs
        }
    }
}
