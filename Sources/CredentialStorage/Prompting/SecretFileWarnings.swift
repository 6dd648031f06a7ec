import Synchronization

/// Reports each warning about a file with a secret that other users may read, once.
///
/// A class, because a task-local closure has no type metadata in optimized builds by Swift 6.3.1, which crash on it.
package final class SecretFileWarnings: Sendable {
    /// The instance for the current task, and for the threads of its ``BlockingCalls``.
    @TaskLocal package static var current: SecretFileWarnings?

    private let report: @Sendable (String) -> Void
    private let reported = Mutex<Set<String>>([])

    /// - Parameter report: Called on any thread, once for each text.
    package init(report: @escaping @Sendable (String) -> Void) {
        self.report = report
    }

    func add(_ text: String) {
        if reported.withLock({ $0.insert(text).inserted }) { report(text) }
    }
}
