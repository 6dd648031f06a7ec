import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// A server on loopback that responds to each connection with the bytes that a closure writes, so that it can misbehave.
enum RawServer {
    /// Runs the server while `use` runs, which receives its authority; then closes every connection.
    ///
    /// - Parameter tls: The server's certificate, if it speaks TLS.
    static func run<Result: Sendable>(
        tls: NIOSSLContext? = nil,
        answering answer: @escaping @Sendable (RawConnection) async throws -> Void,
        use: (_ authority: String) async throws -> Result
    ) async throws -> Result {
        let connections = Mutex(Connections())
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                    let channel = try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                        wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: false))
                    // Serve the channel immediately: a channel that was wrapped and then released without being served traps, for example
                    // if a client connects at the end.
                    let serving = Task { await serve(channel, with: answer) }
                    connections.withLock { $0.add(serving) }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = server.localAddress?.port ?? 0
        let result: Swift.Result<Result, any Error>
        do {
            result = .success(try await use("127.0.0.1:\(port)"))
        } catch {
            result = .failure(error)
        }
        try? await server.close()
        for serving in connections.withLock({ $0.end() }) { await serving.value }
        return try result.get()
    }

    private struct Connections {
        private var serving: [Task<Void, Never>] = []
        private var isEnded = false

        mutating func add(_ task: Task<Void, Never>) {
            if isEnded { task.cancel() } else { serving.append(task) }
        }

        mutating func end() -> [Task<Void, Never>] {
            isEnded = true
            for task in serving { task.cancel() }
            return serving
        }
    }

    /// An authority where nothing listens. A port that was free a moment ago might already be in use by another test.
    static let unusedAuthority = "127.0.0.1:1"

    private static func serve(
        _ channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>, with answer: @Sendable (RawConnection) async throws -> Void
    ) async {
        // Some tests require a broken connection; they check the error on the client's side.
        _ = try? await channel.executeThenClose { inbound, outbound in
            try await answer(RawConnection(channel: channel.channel, inbound: inbound.makeAsyncIterator(), outbound: outbound))
        }
    }
}

/// One connection of a ``RawServer``.
final class RawConnection {
    private let channel: any Channel
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>

    init(
        channel: any Channel,
        inbound: sending NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator,
        outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    ) {
        self.channel = channel
        self.inbound = inbound
        self.outbound = outbound
    }

    /// The next request as text: its header section, and as much of a body as `Content-Length` says. Nil when the client has closed.
    func readRequest() async throws -> String? {
        var text = ""
        while let bytes = try await inbound.next(isolation: #isolation) {
            text += String(buffer: bytes)
            guard let blank = text.firstRange(of: "\r\n\r\n") else { continue }
            let length = text[..<blank.lowerBound].split(separator: "\r\n")
                .first { $0.lowercased().hasPrefix("content-length:") }
                .flatMap { Int($0.split(separator: ":")[1].trimmingPrefix(" ")) }
            if text[blank.upperBound...].utf8.count >= length ?? 0 { return text }
        }
        return nil
    }

    /// The received text up to and including a given suffix, from the first byte on. Nil if the client closed before.
    func read(until ending: String) async throws -> String? {
        var text = ""
        while let bytes = try await inbound.next(isolation: #isolation) {
            text += String(buffer: bytes)
            if text.hasSuffix(ending) { return text }
        }
        return nil
    }

    /// Waits for a number of bytes and returns how many arrived: fewer if the client closed before.
    func count(upTo limit: Int) async throws -> Int {
        var count = 0
        while count < limit, let bytes = try await inbound.next(isolation: #isolation) { count += bytes.readableBytes }
        return count
    }

    func write(_ text: String) async throws {
        try await outbound.write(ByteBuffer(string: text))
    }

    func write(_ bytes: [UInt8]) async throws {
        try await outbound.write(ByteBuffer(bytes: bytes))
    }

    /// Writes the text repeatedly until the client has closed the connection. Other tasks can run in between.
    func flood(_ text: String, wrote: (Int) -> Void = { _ in }) async throws {
        let repeated = String(repeating: text, count: max(1, 16_384 / text.utf8.count))
        while true {
            try await write(repeated)
            // Until the event loop has received the bytes, any number of them can be written, even if none has been sent yet.
            try await channel.eventLoop.submit {}.get()
            wrote(repeated.utf8.count)
        }
    }

    /// The next bytes that the client sends, as they arrive; nil when it has closed.
    func readSome() async throws -> [UInt8]? {
        try await inbound.next(isolation: #isolation).map { Array(buffer: $0) }
    }

    /// Returns when the client has closed the connection.
    func waitForClose() async throws {
        while try await inbound.next(isolation: #isolation) != nil {}
    }

    /// Aborts the connection with a TCP reset.
    func reset() async throws {
        try await (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        try await channel.close()
    }
}
