/// A way to ask the kernel who owns a TCP socket of this machine.
protocol SocketSource: Sendable {
    func owner(of socket: SocketName) -> SocketOwner
}

/// What the kernel says of a socket.
enum SocketOwner: Sendable, Hashable {
    /// It belongs to an open descriptor, which this user made.
    case user(UInt32)
    /// Its descriptor is closed. The kernel then names user 0 for it, whoever the user was.
    case closed
    /// There is no such socket.
    case missing
    /// The kernel did not say.
    case unavailable
}

extension SocketOwner {
    /// - Parameters:
    ///   - inode: 0 if no descriptor holds the socket any more: `TIME_WAIT`, and what was closed before the other side had closed.
    init(user: UInt32, inode: UInt64) {
        self = inode == 0 ? .closed : .user(user)
    }
}
