import AuthHubPrimitives
import NIOCore
import Platform

/// A check of who is at the other end of a connection to a loopback port, because every user of the machine can connect to it.
///
/// A peer cannot impersonate another user: only a socket with an open descriptor has a user. A socket that was closed, or that the kernel
/// should know but does not, is `gone`.
struct PeerSockets: Sendable {
    enum Peer: Sendable, Hashable {
        /// A process of this user, or of any user that the user namespace does not map.
        case user(UInt32)
        /// The peer has closed its end, or hides it.
        case gone
        /// The peer is not on this machine as far as the kernel knows: a forwarded port, or the host of a virtual machine. Or the kernel
        /// reports nothing about sockets.
        case elsewhere
    }

    private let source: (any SocketSource)?
    private let ourUser: UInt32?
    private let namespace: UserNamespace
    private let isOurs: @Sendable (SocketName.End) -> Bool

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - listener: The address we listen on. The kernel must know at least this socket, and report our user as its owner.
    ///   - sources: The ways to query the kernel; the first that knows the listener is used.
    ///   - namespace: Whether our user's ID identifies our user.
    ///   - isOurs: Whether connections from this address originate on this machine.
    init(
        listeningAt listener: SocketAddress?, sources: [any SocketSource] = Self.systemSources, in namespace: UserNamespace = .current,
        isOurs: @escaping @Sendable (SocketName.End) -> Bool = Self.isOfThisMachine
    ) {
        self.namespace = namespace
        self.isOurs = isOurs
        guard let local = SocketName.End(listener) else {
            (source, ourUser) = (nil, nil)
            return
        }
        for source in sources {
            guard case .user(let user) = source.owner(of: SocketName(local: local, remote: .none)) else { continue }
            (self.source, ourUser) = (source, user)
            return
        }
        (source, ourUser) = (nil, nil)
    }

    /// Returns the peer of a connection.
    ///
    /// - Parameters:
    ///   - remote: The remote end of the connection; nil if it is gone.
    ///   - local: Our end.
    func peer(at remote: SocketAddress?, of local: SocketAddress?) -> Peer {
        guard let source else { return .elsewhere }
        guard let remote = SocketName.End(remote), let local = SocketName.End(local) else { return .gone }
        return switch source.owner(of: SocketName(local: remote, remote: local)) {
        case .user(let user): .user(user)
        case .missing where !isOurs(remote): .elsewhere
        case .closed, .missing, .unavailable: .gone
        }
    }

    /// Returns whether the peer may send a callback and see more than an error page. These peers are trusted: our own user, root (which
    /// has full access anyway), and peers that the kernel cannot identify.
    func isTrusted(_ peer: Peer) -> Bool {
        switch peer {
        case .user(let user): user == 0 || (user == ourUser && namespace.identifies(user))
        case .gone: false
        case .elsewhere: true
        }
    }
}

extension PeerSockets {
    #if os(Linux)
    static var systemSources: [any SocketSource] {
        [SocketDiagnosis() as (any SocketSource)?, SocketTable()].compactMap(\.self)
    }

    /// Whether this is WSL, where Windows connects from loopback addresses with sockets that Linux does not know.
    private static let isInsideWindows: Bool = {
        var names = utsname()
        guard uname(&names) == 0 else { return false }
        let release = withUnsafeBytes(of: names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return release.lowercased().contains("microsoft")
    }()

    /// Returns whether the address belongs to this machine, that is, whether a socket can be bound to it.
    static func isOfThisMachine(_ end: SocketName.End) -> Bool {
        guard !isInsideWindows else { return false }
        guard end.address.first != 127 else { return true }
        let probe = socket(AF_INET, Int32(2 | 0o2000000), 0)  // SOCK_DGRAM | SOCK_CLOEXEC
        guard probe >= 0 else { return true }
        defer { close(probe) }
        guard let address = try? SocketAddress(packedIPAddress: ByteBuffer(bytes: end.address), port: 0) else { return true }
        return address.withSockAddr { bind(probe, $0, socklen_t($1)) == 0 || errno != EADDRNOTAVAIL }
    }
    #else
    static var systemSources: [any SocketSource] { [] }

    static func isOfThisMachine(_ end: SocketName.End) -> Bool { true }
    #endif
}
