/// Notifies the caller that a store waits for another process.
///
/// A class, because a task-local closure has no type metadata in optimized builds by Swift 6.3.1, which crash on it.
package final class LockWait: Sendable {
    /// The instance for the current task.
    @TaskLocal package static var current: LockWait?

    /// The wait after which the caller is notified. Writers hold their lock only for the duration of one write.
    static let delay = Duration.milliseconds(500)

    let notify: @Sendable (_ process: Int32?) -> Void

    /// Creates a notifier.
    ///
    /// - Parameter notify: Called once for each record if the store waits longer than ``delay`` for its writer, with the writer's process
    ///   if it is known.
    package init(notify: @escaping @Sendable (_ process: Int32?) -> Void) {
        self.notify = notify
    }
}
