/// Notifies the user of a store that another process holds it up.
///
/// A class, because a task-local closure has no type metadata in optimized builds by Swift 6.3.1, which crash on it.
package final class LockWait: Sendable {
    /// The one for the current task.
    @TaskLocal package static var current: LockWait?

    /// Writers hold their lock for the moment of one write.
    static let delay = Duration.milliseconds(500)

    let notify: @Sendable (_ process: Int32?) -> Void

    /// - Parameter notify: Called once for each record whose writer is waited for longer than ``delay``, with the writer's process if it is
    ///   known.
    package init(notify: @escaping @Sendable (_ process: Int32?) -> Void) {
        self.notify = notify
    }
}
