import AuthHubPrimitives
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Platform

/// The HTTP server on 127.0.0.1.
struct Listener: Sendable {
    /// The limit of a request's body, larger than any request to an authorization server.
    private static let bodyLimit = 64 * 1024
    /// How long a shutdown waits for requests in progress.
    private static let shutdownPatience = Duration.seconds(1)

    let port: Int
    private let server: Server<HTTP1Channel>
    private let running: Task<Void, any Error>

    /// Starts to listen; returns when the port is bound.
    static func start(port: Int, handler: RequestHandler, logger: Logger) async throws(DevelopmentServerError) -> Self {
        let (ports, bound) = AsyncStream<Int>.makeStream()
        let server = Server(
            childChannelSetup: HTTP1Channel(
                responder: { request, writer, _ in try await respond(to: request, writer, handler) },
                configuration: .init(idleTimeout: .seconds(60))),
            configuration: ServerConfiguration(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in bound.yield(channel.localAddress?.port ?? port) },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            logger: logger)
        let running = Task {
            defer { bound.finish() }
            try await server.run()
        }
        for await port in ports { return Self(port: port, server: server, running: running) }
        switch await running.result {
        case .success: throw .cannotListen(port: port, reason: "it stopped immediately")
        case .failure(let error as IOError): throw .cannotListen(port: port, reason: String(cString: strerror(error.errnoCode)))
        case .failure(let error): throw .cannotListen(port: port, reason: "\(error)")
        }
    }

    /// Stops listening and waits for requests in progress; those that take longer than a second are aborted.
    func shutdown() async {
        let cutOff = Task {
            try await Task.sleep(for: Self.shutdownPatience)
            running.cancel()
        }
        try? await server.shutdownGracefully()
        _ = await running.result
        cutOff.cancel()
    }

    /// Abandons a server that was not shut down.
    func abandon() {
        running.cancel()
    }

    private struct ConnectionDropped: Error {}

    @concurrent
    private static func respond(to request: Request, _ writer: consuming ResponseWriter, _ handler: RequestHandler) async throws {
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: bodyLimit)
        } catch is NIOTooManyBytesError {
            return try await write(.json(["message": "The body is too large."], status: .contentTooLarge), closing: true, to: writer)
        }
        let incoming = IncomingRequest(head: request.head, body: Array(body.readableBytesView))
        switch try await handler.handle(incoming) {
        case .whole(let answer):
            try await write(answer, isHead: incoming.method == .head, to: writer)
        case .half(let answer):
            var bodyWriter = try await writer.writeHead(head(of: answer))
            try await bodyWriter.write(ByteBuffer(bytes: answer.body.prefix(answer.body.count / 2)))
            throw ConnectionDropped()
        case .nothing:
            throw ConnectionDropped()
        }
    }

    @concurrent
    private static func write(_ answer: Answer, isHead: Bool = false, closing: Bool = false, to writer: consuming ResponseWriter)
        async throws
    {
        var head = head(of: answer)
        if closing { head.headerFields[.connection] = "close" }
        let body = isHead || answer.body.isEmpty ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body))
        try await writer.write(response: head, body: body)
    }

    private static func head(of answer: Answer) -> HTTPResponse {
        var head = HTTPResponse(status: answer.status, headerFields: answer.headers)
        if answer.status != .noContent { head.headerFields[.contentLength] = String(answer.body.count) }
        return head
    }
}
