import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import Testing

/// A web program: an HTTP server on 127.0.0.1 whose responses come from a function that a test mounts.
final class WebProgram: Sendable {
    typealias Response = (head: HTTPResponse, body: String)
    typealias Respond = @Sendable (HTTPRequest, [UInt8]) async -> Response

    private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    /// A request that arrived, and the status of its response.
    struct Visit: Sendable {
        let path: String
        let body: [UInt8]
        let status: Int
    }

    private struct State {
        var respond: Respond?
        var visits: [Visit] = []
    }

    private let state: Box
    private let running: Task<Void, any Error>
    let origin: String

    private final class Box: Sendable {
        let state = Mutex(State())
    }

    init() async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    return try Connection(wrappingChannelSynchronously: channel)
                }
            }
        origin = "http://127.0.0.1:\(try #require(server.channel.localAddress?.port))"
        let state = Box()
        self.state = state
        running = Task {
            try await server.executeThenClose { connections in
                try await withThrowingDiscardingTaskGroup { group in
                    for try await connection in connections {
                        group.addTask { try? await Self.serve(connection, state) }
                    }
                }
            }
        }
    }

    deinit { running.cancel() }

    /// The requests so far, in the order of their responses.
    var visits: [Visit] { state.state.withLock(\.visits) }

    /// Responds to all later requests with a function.
    func mount(_ respond: @escaping Respond) { state.state.withLock { $0.respond = respond } }

    private static func serve(_ connection: Connection, _ box: Box) async throws {
        try await connection.executeThenClose { inbound, outbound in
            var head: HTTPRequestHead?
            var body: [UInt8] = []
            for try await part in inbound {
                switch part {
                case .head(let received): (head, body) = (received, [])
                case .body(let bytes): body += Array(bytes.readableBytesView)
                case .end:
                    guard let head else { return }
                    let request = Self.request(head)
                    let respond = box.state.withLock(\.respond)
                    let response: Response = await respond?(request, body) ?? (HTTPResponse(status: .notFound), "")
                    box.state.withLock {
                        $0.visits.append(Visit(path: head.uri, body: body, status: response.head.status.code))
                    }
                    try await outbound.write(contentsOf: Self.parts(of: response))
                    if !head.isKeepAlive { return }
                }
            }
        }
    }

    private static func request(_ head: HTTPRequestHead) -> HTTPRequest {
        var fields = HTTPFields()
        for header in head.headers {
            guard let name = HTTPField.Name(header.name) else { continue }
            fields.append(HTTPField(name: name, value: header.value))
        }
        return HTTPRequest(
            method: HTTPRequest.Method(head.method.rawValue) ?? .get, scheme: "http", authority: head.headers.first(name: "Host"),
            path: head.uri, headerFields: fields)
    }

    private static func parts(of response: Response) -> [HTTPServerResponsePart] {
        var headers = HTTPHeaders()
        for field in response.head.headerFields { headers.add(name: field.name.rawName, value: field.value) }
        headers.replaceOrAdd(name: "Content-Length", value: String(response.body.utf8.count))
        let head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: response.head.status.code), headers: headers)
        return [.head(head), .body(.byteBuffer(ByteBuffer(string: response.body))), .end(nil)]
    }
}
