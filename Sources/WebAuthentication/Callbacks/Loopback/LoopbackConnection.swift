import NIOCore
import NIOHTTP1

/// A connection to the loopback port: one request, one page, then it closes.
///
/// The page arrives as an outbound event, so that a channel is sufficient to respond to a waiting browser.
final class LoopbackConnection: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = Never
    typealias OutboundOut = HTTPServerResponsePart

    /// The next step after a request.
    enum Step {
        /// It gets a response, immediately or later.
        case answered
        /// The body is needed: check the request again, with its body.
        case body(atMost: Int)
    }

    private enum Phase {
        case reading
        case body
        case waiting
        case answered
    }

    private let limits: LoopbackLimits
    private let validate: (HTTPRequestHead, [UInt8]?, any Channel) -> Step
    private var phase = Phase.reading
    private var request: HTTPRequestHead?
    private var body: [UInt8] = []
    private var maximumBody = 0
    private var deadline: Scheduled<Void>?

    /// Creates a connection.
    ///
    /// - Parameter validate: Called with the head of the request, and once more with its body if requested; responds to the channel,
    ///   immediately or later.
    init(limits: LoopbackLimits, validate: @escaping (HTTPRequestHead, [UInt8]?, any Channel) -> Step) {
        self.limits = limits
        self.validate = validate
    }

    func channelActive(context: ChannelHandlerContext) {
        close(context, in: limits.request)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), phase) {
        case (.head(let head), .reading):
            request = head
            phase = .waiting
            if case .body(let maximum) = validate(head, nil, context.channel) {
                maximumBody = maximum
                // The timeout of the request continues.
                phase = .body
            } else {
                deadline?.cancel()
            }
        case (.body(let bytes), .body):
            guard body.count + bytes.readableBytes <= maximumBody else {
                return answer(context, with: ResultPage.bodyTooLong, promise: nil)
            }
            body += bytes.readableBytesView
        case (.end, .body):
            guard let request else { return }
            phase = .waiting
            deadline?.cancel()
            _ = validate(request, body, context.channel)
            body = []
        default: break
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed, phase != .waiting { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError, phase == .reading || phase == .body else { return context.close(promise: nil) }
        let isTooLong = error as? HTTPParserError == .headerOverflow
        answer(context, with: isTooLong ? ResultPage.headersTooLong : .malformed, promise: nil)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let page = event as? any BrowserPage else { return context.triggerUserOutboundEvent(event, promise: promise) }
        answer(context, with: page, promise: promise)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    private func answer(_ context: ChannelHandlerContext, with page: any BrowserPage, promise: EventLoopPromise<Void>?) {
        guard phase != .answered else {
            promise?.succeed()
            return
        }
        phase = .answered
        let head = HTTPResponseHead(version: .http1_1, status: page.status, headers: page.headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if request?.method != .HEAD { context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: page.html)))), promise: nil) }
        let written = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
        written.futureResult.cascade(to: promise)
        written.futureResult.assumeIsolated().whenComplete { _ in
            // If it were closed immediately, the connection would be reset while the browser still sends, and the page lost (RFC 9112
            // §9.6).
            context.close(mode: .output, promise: nil)
            self.close(context, in: self.limits.linger)
        }
    }

    private func close(_ context: ChannelHandlerContext, in time: TimeAmount) {
        deadline?.cancel()
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
    }
}
