import NIOCore
import NIOPosix
import Testing

/// A client that sends exactly the given bytes, and reads until the server closes.
struct LoopbackClient: Sendable {
    private let channel: any Channel
    private let answer: EventLoopFuture<String>

    init(to redirectURI: String) async throws {
        let port = try #require(Int(redirectURI.split(separator: ":")[2].prefix { $0.isNumber }))
        try await self.init(port: port)
    }

    init(port: Int, at address: String = "127.0.0.1") async throws {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let promise = eventLoop.makePromise(of: String.self)
        answer = promise.futureResult
        do {
            channel = try await ClientBootstrap(group: eventLoop)
                .channelOption(.allowRemoteHalfClosure, value: false)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Collector(promise)) }
                }
                .connect(host: address, port: port).get()
        } catch {
            promise.fail(error)
            throw error
        }
    }

    func send(_ text: String) async throws {
        try await channel.writeAndFlush(ByteBuffer(string: text)).get()
    }

    /// Returns everything that was received until the server closed the connection.
    func untilClosed() async throws -> String {
        try await answer.get()
    }

    func close() {
        channel.close(promise: nil)
    }

    /// Sends one request and reads its response.
    static func send(_ text: String, to redirectURI: String) async throws -> Answer {
        let client = try await Self(to: redirectURI)
        // The server may respond and close the connection before it has read everything.
        try? await client.send(text)
        return Answer(try await client.untilClosed())
    }

    /// Fetches a path under the redirect URI's own authority.
    static func get(_ target: String, of redirectURI: String) async throws -> Answer {
        try await send(request(target, of: redirectURI), to: redirectURI)
    }

    static func request(_ target: String, of redirectURI: String, method: String = "GET", fields: String = "") -> String {
        let authority = redirectURI.split(separator: "/")[1]
        return "\(method) \(target) HTTP/1.1\r\nHost: \(authority)\r\n\(fields)\r\n"
    }
}

/// An HTTP response as text.
struct Answer: Sendable, Hashable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    var status: Int? { text.split(separator: " ").dropFirst().first.flatMap { Int($0) } }
    var body: String { parts.body }

    /// The value of a header field.
    subscript(field: String) -> String? {
        for line in parts.head.split(separator: "\r\n").dropFirst() {
            let pair = line.split(separator: ": ", maxSplits: 1)
            if pair.count == 2, pair[0].lowercased() == field.lowercased() { return String(pair[1]) }
        }
        return nil
    }

    private var parts: (head: String, body: String) {
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
}

private final class Collector: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let promise: EventLoopPromise<String>
    private var text = ""

    init(_ promise: EventLoopPromise<String>) {
        self.promise = promise
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        text += String(buffer: unwrapInboundIn(data))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        promise.succeed(text)
    }
}
