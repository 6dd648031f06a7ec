import NIOCore
import NIOHTTP1

/// Ends a connection over HTTP/1.1 from which bytes come and come without a message getting on.
///
/// The decoder limits fields one by one, but collects a reason phrase of any length, and reads empty lines and extensions of chunks for
/// ever. So bytes are counted in front of it, and whatever it makes of them sets the count back.
///
/// It also lets statuses below 100 through, which are none (RFC 9110 §15) and which the client traps at: they end the connection, too.
enum HeadLimit {
    /// In bytes: all fields, the status line and what stands between them.
    static let bytes = 1_048_576

    static func add(to channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
            let count = Count()
            try pipeline.addHandler(Counting(count), position: .before(decoder))
            try pipeline.addHandler(SettingBack(count), position: .after(decoder))
        }
    }

    private final class Count {
        var bytes = 0
    }

    private final class Counting: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer

        private let count: Count

        init(_ count: Count) {
            self.count = count
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard count.bytes <= HeadLimit.bytes else { return }
            count.bytes += unwrapInboundIn(data).readableBytes
            guard count.bytes > HeadLimit.bytes else { return context.fireChannelRead(data) }
            context.fireErrorCaught(HTTPParserError.headerOverflow)
            context.close(promise: nil)
        }
    }

    private final class SettingBack: ChannelInboundHandler {
        typealias InboundIn = HTTPClientResponsePart
        typealias InboundOut = HTTPClientResponsePart

        private let count: Count
        private var isEnded = false

        init(_ count: Count) {
            self.count = count
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !isEnded else { return }
            count.bytes = 0
            guard case .head(let head) = unwrapInboundIn(data), head.status.code < 100 else { return context.fireChannelRead(data) }
            isEnded = true
            context.fireErrorCaught(HTTPParserError.invalidStatus)
            context.close(promise: nil)
        }
    }
}
