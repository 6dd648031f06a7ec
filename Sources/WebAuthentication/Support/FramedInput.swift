import NIOCore

/// A handler that reads messages from a channel, no faster than written data is accepted, so that pending writes are bounded.
final class FramedInput: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var framing: MessageFraming
    private let receive: @Sendable (MessageFraming.Piece) -> Void
    private let end: @Sendable () -> Void

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - receive: Called with each message, on the channel's event loop.
    ///   - end: Called once, at the end of the input.
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
