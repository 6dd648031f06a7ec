import AuthHubPrimitives
import NIOCore
import Testing

@testable import WebAuthentication

/// The kernel's information about the peer's socket decides whether it may deliver a callback.
struct PeerSocketsTests {
    /// A kernel that only knows one listener and one peer.
    private struct Kernel: SocketSource {
        var listener = SocketOwner.user(1000)
        var peer = SocketOwner.missing

        func owner(of socket: SocketName) -> SocketOwner { socket.remote == .none ? listener : peer }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var listener = SocketOwner.user(1000)
        let owner: SocketOwner
        var remote: SocketAddress? = Self.address("127.0.0.1", 50_000)
        var isOurs = true
        var namespace = UserNamespace(map: "0 0 4294967295", overflowID: "65534")
        let peer: PeerSockets.Peer
        let isTrusted: Bool

        static func address(_ host: String, _ port: Int) -> SocketAddress? { try? SocketAddress(ipAddress: host, port: port) }
    }

    static let rows = [
        Row(testDescription: "our own user", owner: .user(1000), peer: .user(1000), isTrusted: true),
        Row(testDescription: "AR60 another user", owner: .user(1001), peer: .user(1001), isTrusted: false),
        Row(testDescription: "AR60 a user of another user namespace", owner: .user(65_534), peer: .user(65_534), isTrusted: false),
        Row(
            testDescription: "AR60 we are the overflow user, which may be anyone", listener: .user(65_534), owner: .user(65_534),
            namespace: UserNamespace(map: "65534 1000 1", overflowID: "65534"), peer: .user(65_534), isTrusted: false),
        Row(
            testDescription: "root, while we are the overflow user", listener: .user(65_534), owner: .user(0),
            namespace: UserNamespace(map: "65534 1000 1", overflowID: "65534"), peer: .user(0), isTrusted: true),
        Row(
            testDescription: "we are nobody, in a namespace of all users", listener: .user(65_534), owner: .user(65_534),
            peer: .user(65_534), isTrusted: true),
        Row(testDescription: "root", owner: .user(0), peer: .user(0), isTrusted: true),
        Row(
            testDescription: "AR60 root listens, another user connects", listener: .user(0), owner: .user(1000), peer: .user(1000),
            isTrusted: false),
        Row(testDescription: "AR60 closed, which the kernel attributes to root", owner: .closed, peer: .gone, isTrusted: false),
        Row(testDescription: "AR60 hidden from the kernel, on this machine", owner: .missing, peer: .gone, isTrusted: false),
        Row(testDescription: "AR60 the kernel reports an error", owner: .unavailable, peer: .gone, isTrusted: false),
        Row(testDescription: "AR60 the connection is gone", owner: .user(1000), remote: nil, peer: .gone, isTrusted: false),
        Row(
            testDescription: "a remote peer, through a forwarded port", owner: .missing, remote: Row.address("10.255.255.254", 50_000),
            isOurs: false, peer: .elsewhere, isTrusted: true),
        Row(
            testDescription: "a kernel that reports nothing", listener: .unavailable, owner: .unavailable, peer: .elsewhere, isTrusted: true
        ),
        Row(
            testDescription: "a kernel that does not know our socket", listener: .missing, owner: .missing, peer: .elsewhere,
            isTrusted: true),
    ]

    @Test(arguments: rows)
    func `trusts a peer by its user`(row: Row) throws {
        let local = Row.address("127.0.0.1", 40_000)
        let sockets = PeerSockets(
            listeningAt: local, sources: [Kernel(listener: row.listener, peer: row.owner)], in: row.namespace, isOurs: { _ in row.isOurs })
        let peer = sockets.peer(at: row.remote, of: local)
        #expect(peer == row.peer)
        #expect(sockets.isTrusted(peer) == row.isTrusted)
    }

    @Test func `asks the first source that knows the listener`() {
        let local = Row.address("127.0.0.1", 40_000)
        let sockets = PeerSockets(
            listeningAt: local, sources: [Kernel(listener: .unavailable, peer: .user(0)), Kernel(peer: .user(1001))], isOurs: { _ in true })
        #expect(sockets.peer(at: Row.address("127.0.0.1", 50_000), of: local) == .user(1001))
    }
}
