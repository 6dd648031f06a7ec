import NIOCore

/// Reads messages from a channel, and reads no faster than what is written to it is taken: what waits to be written stays bounded.
final class FramedInput: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var framing: MessageFraming
    private let receive: @Sendable (MessageFraming.Piece) -> Void
    private let end: @Sendable () -> Void

    /// - Parameters:
    ///   - receive: Gets each message, on the channel's event loop.
    ///   - end: Called once, when nothing comes any more.
    init(
        _ framing: MessageFraming, receive: @escaping @Sendable (MessageFraming.Piece) -> Void, end: @escaping @Sendable () -> Void = {}
    ) {
        self.framing = framing
        self.receive = receive
        self.end = end
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for piece in framing.take(unwrapInboundIn(data).readableBytesView) { receive(piece) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        context.channel.setOption(.autoRead, value: context.channel.isWritable).whenFailure { _ in }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
    }
}
