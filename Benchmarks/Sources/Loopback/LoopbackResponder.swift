import NIOCore
import NIOHTTP1
import NIOPosix

/// An HTTP server on 127.0.0.1 that returns the same small response to every request and keeps connections open.
package struct LoopbackResponder {
    package let url: String
    private let group: MultiThreadedEventLoopGroup

    package static func start() async throws -> LoopbackResponder {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let channel = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                channel.pipeline.configureHTTPServerPipeline().flatMap { channel.pipeline.addHandler(Answer()) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        guard let port = channel.localAddress?.port else { throw ChannelError.unknownLocalAddress }
        return LoopbackResponder(url: "http://127.0.0.1:\(port)", group: group)
    }

    package func shutdown() async throws {
        try await group.shutdownGracefully()
    }
}

/// A handler that responds at the end of the request.
private final class Answer: ChannelInboundHandler, Sendable {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private static let body = ByteBuffer(string: #"{"login":"octocat","id":583231}"#)

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .end = Self.unwrapInboundIn(data) else { return }
        let headers: HTTPHeaders = ["content-type": "application/json", "content-length": "\(Self.body.readableBytes)"]
        context.write(Self.wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .ok, headers: headers))), promise: nil)
        context.write(Self.wrapOutboundOut(.body(.byteBuffer(Self.body))), promise: nil)
        context.writeAndFlush(Self.wrapOutboundOut(.end(nil)), promise: nil)
    }
}
