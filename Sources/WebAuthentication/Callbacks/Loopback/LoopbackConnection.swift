import NIOCore
import NIOHTTP1

/// One connection to the loopback port: one request, one page, and it closes.
///
/// The page comes as an outbound event, so that a channel is all that is needed to answer a browser that waits.
final class LoopbackConnection: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = HTTPServerResponsePart

    private enum Phase {
        case reading
        case waiting
        case answered
    }

    private let limits: LoopbackLimits
    private let judge: (HTTPRequestHead, any Channel) -> Void
    private var phase = Phase.reading
    private var isHEAD = false
    private var deadline: Scheduled<Void>?

    /// - Parameter judge: Called once, with the head of the request; answers the channel, at once or later.
    init(limits: LoopbackLimits, judge: @escaping (HTTPRequestHead, any Channel) -> Void) {
        self.limits = limits
        self.judge = judge
    }

    func channelActive(context: ChannelHandlerContext) {
        close(context, in: limits.request)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data), phase == .reading else { return }
        phase = .waiting
        deadline?.cancel()
        isHEAD = head.method == .HEAD
        judge(head, context.channel)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed, phase != .waiting { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError, phase == .reading else { return context.close(promise: nil) }
        let isTooLong = error as? HTTPParserError == .headerOverflow
        answer(context, with: isTooLong ? .headersTooLong : .malformed, promise: nil)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let page = event as? ResultPage else { return context.triggerUserOutboundEvent(event, promise: promise) }
        answer(context, with: page, promise: promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    private func answer(_ context: ChannelHandlerContext, with page: ResultPage, promise: EventLoopPromise<Void>?) {
        guard phase != .answered else {
            promise?.succeed()
            return
        }
        phase = .answered
        let head = HTTPResponseHead(version: .http1_1, status: page.status, headers: page.headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !isHEAD { context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: page.html)))), promise: nil) }
        let written = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
        written.futureResult.cascade(to: promise)
        written.futureResult.assumeIsolated().whenComplete { _ in
            // Closed at once, the connection would be reset while the browser still sends, and the page lost (RFC 9112 §9.6).
            context.close(mode: .output, promise: nil)
            self.close(context, in: self.limits.linger)
        }
    }

    private func close(_ context: ChannelHandlerContext, in time: TimeAmount) {
        deadline?.cancel()
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
    }
}
