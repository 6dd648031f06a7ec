public import AuthHubPrimitives
import NIOCore
import NIOPosix
import Platform

/// Delivers a callback from the handler of a custom scheme to the sign-in that waits for it, in any process of this user.
public struct CallbackDelivery: Sendable {
    /// The result of a delivery.
    public enum Outcome: Sendable, Hashable {
        /// A sign-in accepted the callback. The value is the page to show to the user.
        case concluded(CallbackPage)
        /// A sign-in seems to have accepted the callback, but its process exited or took too long before it reported the result.
        case undecided
        /// No sign-in is waiting for the callback: it has already finished, or was started on another machine. If the program was restarted
        /// after the sign-in began, its session may still be able to finish it.
        case nobodyWaits
    }

    private let environment: [String: String]

    /// How long a sign-in may take to report its result after it has accepted the callback.
    private static let conclusionTime = TimeAmount.seconds(60)
    /// How long a sign-in may take to acknowledge a callback that no sign-in accepted.
    private static let noticeTime = TimeAmount.seconds(5)
    /// How many sign-ins are asked at the same time.
    private static let maximumAtOnce = 64

    /// Creates a delivery.
    ///
    /// - Parameter environment: The environment variables that determine the folder of waiting sign-ins; if nil, those of this process.
    public init(environment: [String: String]? = nil) {
        self.environment = environment ?? processEnvironment()
    }

    /// Offers the callback to the waiting sign-ins until one accepts it, and waits up to a minute for the result. Cancelling the task ends
    /// the wait.
    ///
    /// If no sign-in accepts the callback, those with the same redirect URI report to their users that a callback was ignored.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotReceive` if the folder of waiting sign-ins cannot be used.
    public func deliver(_ callback: Secret<String>) async throws(WebAuthenticationError) -> Outcome {
        let line = callback.reveal()
        guard line.utf8.count <= CallbackAddress.maximumBytes, !line.utf8.contains(UInt8(ascii: "\n")) else { return .nobodyWaits }
        let sockets = try CallbackFolder(environment: environment).sockets
        let outcome = await ask(sockets, line, until: .now() + Self.conclusionTime)
        if outcome == .nobodyWaits { _ = await ask(sockets, CallbackMessage.unclaimed(line), until: .now() + Self.noticeTime) }
        return outcome
    }

    /// Asks several sign-ins concurrently: one that was suspended, and never responds, must not keep the callback from the others.
    private func ask(_ sockets: [String], _ line: String, until deadline: NIODeadline) async -> Outcome {
        await withTaskGroup(of: CallbackMessage.Answer?.self) { group in
            var outcome = Outcome.nobodyWaits
            var rest = sockets[...]
            for socket in rest.prefix(Self.maximumAtOnce) {
                group.addTask { await ask(socket, line, until: deadline) }
            }
            rest = rest.dropFirst(Self.maximumAtOnce)
            while let answer = await group.next() {
                switch answer {
                case .concluded(let page)?:
                    group.cancelAll()
                    return .concluded(page)
                case nil: outcome = .undecided
                case .notExpected?, .ended?: break
                }
                if let socket = rest.popFirst() { group.addTask { await ask(socket, line, until: deadline) } }
            }
            return outcome
        }
    }

    /// Asks a sign-in.
    ///
    /// - Returns: The response; nil if it received the line and never responded.
    private func ask(_ socket: String, _ line: String, until deadline: NIODeadline) async -> CallbackMessage.Answer? {
        guard !Task.isCancelled else { return .notExpected }
        let answer = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: CallbackMessage.Answer?.self)
        do {
            let channel = try await ClientBootstrap(group: answer.futureResult.eventLoop)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(DeliveryConnection(line, answer, until: deadline))
                    }
                }
                .connect(unixDomainSocketPath: socket).get()
            return try await withTaskCancellationHandler {
                try await answer.futureResult.get()
            } onCancel: {
                channel.close(promise: nil)
            }
        } catch {
            // Its process died: nothing listens there any more.
            if (error as? IOError)?.errnoCode == ECONNREFUSED { unlink(socket) }
            answer.succeed(.notExpected)
            return .notExpected
        }
    }
}

/// A connection that sends the callback's line, and reads the one line of the response.
private final class DeliveryConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let line: String
    private let answer: EventLoopPromise<CallbackMessage.Answer?>
    private let end: NIODeadline
    private var bytes = ByteBuffer()
    private var deadline: Scheduled<Void>?

    init(_ line: String, _ answer: EventLoopPromise<CallbackMessage.Answer?>, until end: NIODeadline) {
        self.line = line
        self.answer = answer
        self.end = end
    }

    func channelActive(context: ChannelHandlerContext) {
        deadline = context.eventLoop.assumeIsolated().scheduleTask(deadline: end) { context.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: line + "\n")), promise: nil)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var more = unwrapInboundIn(data)
        bytes.writeBuffer(&more)
        // The line feed completes the response. The end of the stream may come much later, if a child process holds the other side open.
        let isComplete = bytes.readableBytesView.contains(UInt8(ascii: "\n"))
        if isComplete || bytes.readableBytes > CallbackMessage.maximumBytes { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        let text = String(decoding: bytes.readableBytesView.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        answer.succeed(CallbackMessage.Answer(line: text))
        context.fireChannelInactive()
    }
}
