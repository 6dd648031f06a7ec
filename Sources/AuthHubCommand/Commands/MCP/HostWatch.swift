import Platform

/// Notices that the program that reads standard output has ended, even while nothing is written.
enum HostWatch {
    private static let interval = Duration.milliseconds(500)

    /// Returns when no one can read standard output any more, or the task is cancelled.
    static func untilEnd() async {
        while !Task.isCancelled, !hasEnded { try? await Task.sleep(for: interval) }
    }

    /// Whether no one can read standard output any more.
    static var hasEnded: Bool {
        var descriptor = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return poll(&descriptor, 1, 0) > 0 && Int32(descriptor.revents) & Int32(POLLERR | POLLHUP | POLLNVAL) != 0
    }
}
