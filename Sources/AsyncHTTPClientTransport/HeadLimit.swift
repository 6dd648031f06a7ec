import NIOCore
import NIOHTTP1

/// A protection against HTTP/1.1 connections that keep delivering bytes without making progress on a message: it closes them.
///
/// The decoder limits individual fields, but accepts a reason phrase of any length, and reads empty lines and chunk extensions forever. So
/// the bytes are counted in front of the decoder, and the count is reset whenever the decoder produces something.
///
/// The decoder also accepts statuses below 100, which are invalid (RFC 9110 §15) and make the client trap. They end the connection, too.
enum HeadLimit {
    /// The limit in bytes for the status line, all fields, and the characters between them.
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
