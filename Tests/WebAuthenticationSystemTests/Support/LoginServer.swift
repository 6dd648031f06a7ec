import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import Testing

/// A stub for an authorization server on 127.0.0.1. It returns pages and redirects by path, and records the requests.
///
/// If a browser resolves every host name to this port, its TLS ClientHello messages show which hosts it tried to connect to.
final class LoginServer: Sendable {
    enum Page: Sendable {
        case redirect(String)
        case html(String)
        /// An empty page that is returned after ``release(_:)`` was called for the path.
        case held
    }

    struct Visit: Sendable {
        let path: String
        let headers: HTTPHeaders
    }

    private let record = Record()
    private let server: any Channel
    let port: Int

    init() async throws {
        server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton.next())
            .serverChannelOption(.backlog, value: 128)
            .childChannelInitializer { [record] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(GreetingHandler(record))
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(VisitHandler(record))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = try #require(server.localAddress?.port)
    }

    deinit {
        server.close(promise: nil)
    }

    var origin: String { "http://127.0.0.1:\(port)" }
    var visits: [Visit] { record.state.withLock { $0.visits } }

    func set(_ path: String, _ page: Page) {
        record.state.withLock { $0.pages[path] = page }
    }

    /// Returns whether a browser tried to connect to this host with TLS (RFC 6066 §3).
    func wasGreeted(as host: String) -> Bool {
        let name = [0, UInt8(host.utf8.count >> 8), UInt8(host.utf8.count & 0xFF)] + Array(host.utf8)
        return record.state.withLock { state in
            state.greetings.contains { greeting in greeting.indices.contains { greeting[$0...].starts(with: name) } }
        }
    }

    /// Waits until the condition is met. It is checked whenever a browser connects, and after ``noteChange()``.
    func until(_ condition: @Sendable () -> Bool) async {
        let changes = AsyncStream.makeStream(of: Void.self)
        record.state.withLock { $0.changes.append(changes.continuation) }
        if condition() { return }
        for await _ in changes.stream where condition() { return }
    }

    func untilVisited(_ path: String) async {
        await until { self.visits.contains { $0.path == path } }
    }

    func noteChange() {
        record.noteChange()
    }

    /// Responds to past and future requests for the path.
    func release(_ path: String) {
        let waiting = record.state.withLock { state in
            state.pages[path] = .html("")
            return state.held.removeValue(forKey: path) ?? []
        }
        waiting.forEach { $0() }
    }
}

private final class Record: Sendable {
    struct State {
        var pages: [String: LoginServer.Page] = [:]
        var visits: [LoginServer.Visit] = []
        var greetings: [[UInt8]] = []
        var held: [String: [@Sendable () -> Void]] = [:]
        var changes: [AsyncStream<Void>.Continuation] = []
    }

    let state = Mutex(State())

    func noteChange() {
        for change in state.withLock({ $0.changes }) { change.yield() }
    }

    func greeted(_ greeting: [UInt8]) {
        state.withLock { $0.greetings.append(greeting) }
        noteChange()
    }

    func visited(_ head: HTTPRequestHead, _ answer: @escaping @Sendable (LoginServer.Page) -> Void) {
        let path = String(head.uri.prefix { $0 != "?" })
        let page: LoginServer.Page? = state.withLock { state in
            state.visits.append(.init(path: path, headers: head.headers))
            guard case .held? = state.pages[path] else { return state.pages[path] ?? .html("") }
            state.held[path, default: []].append { answer(.html("")) }
            return nil
        }
        if let page { answer(page) }
        noteChange()
    }
}

/// Records TLS ClientHello messages and closes their connections, because this server does not support TLS.
private final class GreetingHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let record: Record
    private var greeting: [UInt8] = []

    init(_ record: Record) {
        self.record = record
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data).readableBytesView
        guard !greeting.isEmpty || bytes.first == 22 else { return context.fireChannelRead(data) }
        greeting += bytes
        guard greeting.count >= 5, greeting.count >= 5 + Int(greeting[3]) << 8 + Int(greeting[4]) else { return }
        record.greeted(greeting)
        context.close(promise: nil)
    }
}

private final class VisitHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let record: Record

    init(_ record: Record) {
        self.record = record
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        let channel = context.channel
        record.visited(head) { page in
            var headers: HTTPHeaders = ["Connection": "close", "Content-Type": "text/html", "Cache-Control": "no-store"]
            var body = ""
            var status = HTTPResponseStatus.ok
            switch page {
            case .redirect(let location):
                status = .found
                headers.add(name: "Location", value: location)
            case .html(let html): body = html
            case .held: break
            }
            headers.add(name: "Content-Length", value: String(body.utf8.count))
            channel.write(HTTPServerResponsePart.head(.init(version: .http1_1, status: status, headers: headers)), promise: nil)
            channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(string: body))), promise: nil)
            channel.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { _ in channel.close(promise: nil) }
        }
    }
}
