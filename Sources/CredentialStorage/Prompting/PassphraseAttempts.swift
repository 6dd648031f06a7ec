/// Notifies the caller that no further attempt at a passphrase follows, so that a terminal can stay hidden while one is checked.
///
/// A class, because a task-local closure has no type metadata in optimized builds by Swift 6.3.1, which crash on it.
package final class PassphraseAttempts: Sendable {
    /// The instance for the current task, and for the threads of its ``BlockingCalls``.
    @TaskLocal package static var current: PassphraseAttempts?

    let end: @Sendable () -> Void

    /// Creates a notifier.
    ///
    /// - Parameter end: Called on any thread, even if no passphrase was requested.
    package init(end: @escaping @Sendable () -> Void) {
        self.end = end
    }
}
