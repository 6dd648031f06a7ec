#if os(Linux)
import NIOCore
import NIOPosix
import Platform
import Testing

@testable import WebAuthentication

/// Tests what this machine's kernel returns, for both ways of querying it.
struct SystemSocketsTests {
    enum Way: String, Sendable, CaseIterable, CustomTestStringConvertible {
        case diagnosis, table

        var testDescription: String { rawValue }

        var source: (any SocketSource)? { self == .diagnosis ? SocketDiagnosis() : SocketTable() }

        /// The ways that work here; a sandbox may forbid one of them.
        static let available = allCases.filter { way in
            guard let source = way.source else { return false }
            let nobody = SocketName.End(address: [127, 0, 0, 1], port: 1)
            return source.owner(of: SocketName(local: nobody, remote: nobody)) == .missing
        }
    }

    /// A listener, and a connection to it.
    private final class Pair: Sendable {
        let server: any Channel
        let client: any Channel

        init() async throws {
            let group = MultiThreadedEventLoopGroup.singleton
            server = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get()
            let address = try #require(server.localAddress)
            client = try await ClientBootstrap(group: group).connect(to: address).get()
        }

        var listener: SocketName.End { get throws { try #require(SocketName.End(server.localAddress)) } }

        var name: SocketName {
            get throws { SocketName(local: try #require(SocketName.End(client.localAddress)), remote: try listener) }
        }

        func close() async throws {
            try? await client.close()
            try await server.close()
        }
    }

    @Test(arguments: Way.available)
    func `the kernel knows both ends of a connection, and the listener`(way: Way) async throws {
        let source = try #require(way.source)
        let pair = try await Pair()
        let user = SocketOwner.user(geteuid())
        let name = try pair.name
        #expect(source.owner(of: name) == user)
        let accepted = SocketName(local: name.remote, remote: name.local)
        // The socket belongs to no one until the listener has accepted it.
        while source.owner(of: accepted) == .closed { await Task.yield() }
        #expect(source.owner(of: accepted) == user)
        #expect(source.owner(of: SocketName(local: try pair.listener, remote: .none)) == user)
        // A socket with the same ports at another address is a different socket, and a listening socket is not a connection.
        var other = name
        other.local.address = [127, 0, 0, 2]
        #expect(source.owner(of: other) == .missing)
        #expect(source.owner(of: SocketName(local: name.remote, remote: name.remote)) == .missing)
        try await pair.close()
    }

    @Test(arguments: Way.available)
    func `AR60 a connection that its owner has closed is not root's`(way: Way) async throws {
        let source = try #require(way.source)
        let pair = try await Pair()
        let name = try pair.name
        try await pair.client.close()
        // For a moment, a program that another test is starting may have a copy of the descriptor.
        while source.owner(of: name) == .user(geteuid()) { await Task.yield() }
        let owner = source.owner(of: name)
        #expect(owner == .closed || owner == .missing)
        try await pair.server.close()
    }

    @Test func `recognizes an address of this machine`() {
        #expect(PeerSockets.isOfThisMachine(.init(address: [127, 3, 2, 1], port: 1)))
        #expect(!PeerSockets.isOfThisMachine(.init(address: [192, 0, 2, 1], port: 1)))
    }
}
#endif
