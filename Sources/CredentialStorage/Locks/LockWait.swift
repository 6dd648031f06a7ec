/// Notifies whoever uses a store that another process holds it up.
package enum LockWait {
    /// Called once for each record whose writer is waited for longer than ``delay``, with the writer's process if it is known.
    @TaskLocal package static var notice: (@Sendable (_ process: Int32?) -> Void)?

    /// Writers hold their lock for the moment of one write.
    static let delay = Duration.milliseconds(500)
}
