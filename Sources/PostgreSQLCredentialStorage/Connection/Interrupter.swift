#if PostgreSQL
import CredentialStorage
import Platform

/// A handle that interrupts waits for a socket from another thread. Once fired, it stays fired.
final class Interrupter: Sendable {
    enum Event {
        case ready, interrupted, late
    }

    enum Interest {
        case reading, writing, both

        fileprivate var events: Int16 {
            switch self {
            case .reading: Int16(POLLIN)
            case .writing: Int16(POLLOUT)
            case .both: Int16(POLLIN | POLLOUT)
            }
        }
    }

    private let reading: Int32
    private let writing: Int32

    init() throws(DatabaseError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw DatabaseError(
                kind: .unreachable, state: nil, reason: "no pipe could be opened (error \(errno)), because too many files are open")
        }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        _ = close(reading)
        _ = close(writing)
    }

    func fire() {
        var byte: UInt8 = 1
        _ = write(writing, &byte, 1)
    }

    /// Waits until the socket can be read or written; without a socket, until the deadline.
    func wait(for socket: Int32?, to interest: Interest = .reading, until deadline: ContinuousClock.Instant) -> Event {
        if let socket, socket < 0 { return .ready }
        while true {
            let rest = ContinuousClock.now.duration(to: deadline)
            let milliseconds = rest <= .zero ? 0 : Int32(clamping: rest.milliseconds + 1)
            var watched = [
                pollfd(fd: reading, events: Int16(POLLIN), revents: 0),
                pollfd(fd: socket ?? -1, events: interest.events, revents: 0),
            ]
            let count = poll(&watched, 2, milliseconds)
            if watched[0].revents != 0 { return .interrupted }
            if count > 0 { return .ready }
            if count == 0, ContinuousClock.now >= deadline { return .late }
            if count < 0, errno != EINTR { return .ready }
        }
    }

    /// Returns whether there is something to read, without waiting.
    static func isReadable(_ socket: Int32) -> Bool {
        var watched = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, 0) != 0
    }
}

extension Duration {
    /// The duration in whole milliseconds, rounded down.
    var milliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }

    /// A random duration between half and all of this one, so that many callers do not retry at the same time.
    var jittered: Self {
        self * Double.random(in: 0.5...1)
    }
}
#endif
