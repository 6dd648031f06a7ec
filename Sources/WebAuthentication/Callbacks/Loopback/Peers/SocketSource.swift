/// A way to ask the kernel who owns a TCP socket of this machine.
protocol SocketSource: Sendable {
    func owner(of socket: SocketName) -> SocketOwner
}

/// What the kernel says of a socket.
enum SocketOwner: Sendable, Hashable {
    /// The user who created the socket, which has an open descriptor.
    case user(UInt32)
    /// The descriptor is closed. The kernel then returns user 0, even if the socket belonged to another.
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
