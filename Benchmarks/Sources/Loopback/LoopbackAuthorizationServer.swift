import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// An authorization server and its API on 127.0.0.1. It rotates refresh tokens after a delay, and revokes everything if one is used a
/// second time, as RFC 9700 §4.14.2 recommends.
package final class LoopbackAuthorizationServer: Sendable {
    package static let lifetime = 3_600.0
    package static let tokenPause = Duration.milliseconds(50)

    fileprivate struct State {
        var serial = 0
        var tokenRequests = 0
        var isEnded = false
    }

    private let group: MultiThreadedEventLoopGroup
    private let state: StateBox
    package let url: String

    fileprivate final class StateBox: Sendable {
        let value = Mutex(State())
    }

    private init(url: String, group: MultiThreadedEventLoopGroup, state: StateBox) {
        self.url = url
        self.group = group
        self.state = state
    }

    package static func start() async throws -> LoopbackAuthorizationServer {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let state = StateBox()
        let channel = try await ServerBootstrap(group: group)
            .serverChannelOption(ChannelOptions.backlog, value: 2_048)
            .childChannelInitializer { channel in
                channel.pipeline.configureHTTPServerPipeline().flatMap {
                    channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Exchange(state)) }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        guard let port = channel.localAddress?.port else { throw ChannelError.unknownLocalAddress }
        return LoopbackAuthorizationServer(url: "http://127.0.0.1:\(port)", group: group, state: state)
    }

    /// The number of token requests, except those that request nothing (`grant_type=none`).
    package var tokenRequests: Int { state.value.withLock(\.tokenRequests) }

    package func shutdown() async throws {
        try await group.shutdownGracefully()
    }
}

extension LoopbackAuthorizationServer.State {
    /// Handles a token request.
    ///
    /// - Returns: The body of a successful response; nil for an error.
    fileprivate mutating func token(for form: String) -> String? {
        if form.contains("grant_type=none") { return "{}" }
        tokenRequests += 1
        if form.contains("grant_type=refresh_token"), !form.contains("refresh_token=refresh-\(serial)-") { isEnded = true }
        guard !isEnded else { return nil }
        serial += 1
        return
            #"{"access_token":"access-\#(serial)","token_type":"Bearer","expires_in":3600,"scope":"read","refresh_token":"refresh-\#(serial)-"}"#
    }

    fileprivate func accepts(_ authorization: String?) -> Bool {
        !isEnded && (authorization == "Bearer access-\(serial)" || authorization == "Bearer bare")
    }
}

/// A handler that responds at the end of the request, or after the delay that follows.
private final class Exchange: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let state: LoopbackAuthorizationServer.StateBox
    private var isTokenRequest = false
    private var authorization: String?
    private var form = ""

    init(_ state: LoopbackAuthorizationServer.StateBox) {
        self.state = state
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch Self.unwrapInboundIn(data) {
        case .head(let head):
            isTokenRequest = head.method == .POST
            authorization = head.headers.first(name: "Authorization")
            form = ""
        case .body(let part):
            form += String(buffer: part)
        case .end where isTokenRequest:
            let body = state.value.withLock { $0.token(for: form) }
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            let pause = form.contains("grant_type=authorization_code") ? .zero : LoopbackAuthorizationServer.tokenPause
            context.eventLoop.scheduleTask(in: TimeAmount(pause)) {
                Self.answer(body == nil ? .badRequest : .ok, body ?? #"{"error":"invalid_grant"}"#, on: bound.value)
            }
        case .end:
            let isGood = state.value.withLock { $0.accepts(authorization) }
            Self.answer(isGood ? .ok : .unauthorized, #"{"id":583231}"#, on: context)
        }
    }

    private static func answer(_ status: HTTPResponseStatus, _ body: String, on context: ChannelHandlerContext) {
        let headers: HTTPHeaders = ["content-type": "application/json", "content-length": "\(body.utf8.count)"]
        context.write(wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
