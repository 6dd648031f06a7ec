/// A way to ask the kernel for the owner of a TCP socket of this machine.
protocol SocketSource: Sendable {
    func owner(of socket: SocketName) -> SocketOwner
}

/// The kernel's information about a socket.
enum SocketOwner: Sendable, Hashable {
    /// The user who created the socket, which has an open descriptor.
    case user(UInt32)
    /// The descriptor is closed. The kernel then returns user 0, even if the socket belonged to another.
    case closed
    /// There is no such socket.
    case missing
    /// The kernel did not report it.
    case unavailable
}

extension SocketOwner {
    /// Creates an owner.
    ///
    /// - Parameters:
    ///   - inode: 0 if no descriptor holds the socket any more: `TIME_WAIT`, and sockets that were closed before the other side had closed.
    init(user: UInt32, inode: UInt64) {
        self = inode == 0 ? .closed : .user(user)
    }
}
