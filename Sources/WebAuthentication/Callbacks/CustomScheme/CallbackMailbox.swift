import NIOCore
import NIOPosix
import Platform
import Synchronization

/// A mailbox for one callback of a custom scheme, which the system passes to a handler (RFC 8252 §7.1), and the handler to this process.
///
/// Each waiting sign-in has a separate socket; a handler asks all of them, and only the one with the matching `state` accepts the callback.
final class CallbackMailbox: CallbackReceiver {
    let redirectURI: String
    private let path: String
    private let server: any Channel
    private let desk: Desk
    private let clock: any Clock<Duration>
    private let timer = Mutex<Task<Void, Never>?>(nil)

    /// How long handlers, and the socket, wait for ``conclude(_:)``.
    static let conclusionTime = Duration.seconds(60)

    /// Opens a mailbox and starts to listen for callbacks.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotReceive` if the address is invalid, or listening is impossible.
    static func open(
        for callback: CallbackMethod, in folder: CallbackFolder, clock: any Clock<Duration>
    ) async throws(WebAuthenticationError) -> CallbackMailbox {
        let address = try CallbackAddress(callback)
        let unfinished = try folder.newSocket()
        let desk = Desk(address: address)
        do {
            let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton.next())
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try desk.add(channel) }
                }
                .bind(unixDomainSocketPath: unfinished).get()
            let path: String
            do {
                path = try folder.publish(unfinished)
            } catch {
                server.close(promise: nil)
                throw error
            }
            return CallbackMailbox(redirectURI: address.redirectURI, path: path, server: server, desk: desk, clock: clock)
        } catch {
            unlink(unfinished)
            throw WebAuthenticationError(.cannotReceive, "\(folder.path) cannot hold a socket (\(error))", underlying: error)
        }
    }

    private init(redirectURI: String, path: String, server: any Channel, desk: Desk, clock: any Clock<Duration>) {
        self.redirectURI = redirectURI
        self.path = path
        self.server = server
        self.desk = desk
        self.clock = clock
    }

    var responseModes: Set<CallbackResponseMode> { [.query, .fragment] }

    var ignored: IgnoredCallbacks { desk.ignored.withLock { $0 } }

    func expect(
        by responseMode: CallbackResponseMode, _ expects: @escaping @Sendable (CallbackURL) -> Bool,
        take: @escaping @Sendable (CallbackURL) -> Bool, ignore: @escaping @Sendable () -> Void
    ) {
        desk.turn.withLock {
            $0.expect(.init(expects: expects, take: take, ignore: ignore).limited { [self] in limitWaiting() })
        }
    }

    private func limitWaiting() {
        timer.withLock { timer in
            timer = Task { [clock] in
                guard (try? await clock.sleep(for: Self.conclusionTime)) != nil else { return }
                await self.close()
            }
        }
    }

    /// Responds to the handlers that delivered the callback, and closes the mailbox.
    func conclude(_ page: CallbackPage) async {
        for handler in desk.turn.withLock({ $0.conclude(ResultPage(page)) }) ?? [] {
            try? await handler.triggerUserOutboundEvent(CallbackMessage.Answer.concluded(page)).get()
        }
        await close()
    }

    func close() async {
        timer.withLock { $0?.cancel() }
        desk.turn.withLock { $0.end() }
        unlink(path)
        try? await server.close().get()
        for channel in desk.channels.withLock({ $0 }).values { try? await channel.close().get() }
    }

    func abandon() {
        unlink(path)
        server.close(promise: nil)
        for channel in desk.channels.withLock({ $0 }).values { channel.close(promise: nil) }
    }
}

/// The state that the connections of a mailbox share.
private final class Desk: Sendable {
    let turn = Mutex(CallbackTurn<any Channel>())
    let channels = Mutex<[ObjectIdentifier: any Channel]>([:])
    let ignored = Mutex(IgnoredCallbacks())
    private let address: CallbackAddress

    /// The maximum number of concurrent handlers; more are rejected.
    private static let maximumConnections = 64

    init(address: CallbackAddress) {
        self.address = address
    }

    func add(_ channel: any Channel) throws {
        let isFull = channels.withLock { channels in
            if channels.count < Self.maximumConnections { channels[ObjectIdentifier(channel)] = channel }
            return channels[ObjectIdentifier(channel)] == nil
        }
        guard !isFull else { return channel.close(promise: nil) }
        channel.closeFuture.whenComplete { _ in self.channels.withLock { $0[ObjectIdentifier(channel)] = nil } }
        try channel.pipeline.syncOperations.addHandler(CallbackMailboxConnection { self.validate($0, from: $1) })
    }

    private func validate(_ line: String, from handler: any Channel) {
        if let url = CallbackMessage.unclaimed(in: line) { return unclaimed(url, from: handler) }
        guard let callback = address.callback(in: line) else { return answer(handler, .notExpected) }
        perform(turn.withLock { $0.arrived(callback, from: handler) }, callback, handler)
    }

    private func perform(_ action: CallbackTurn<any Channel>.Action, _ callback: CallbackURL, _ handler: any Channel) {
        switch action {
        case .wait: break
        case .answer(let page): answer(handler, page == .notExpected ? .notExpected : .ended)
        case .ask(let expectation):
            guard expectation.expects(callback) else { return answer(handler, .notExpected) }
            perform(turn.withLock { $0.accept(callback, from: handler) }, callback, handler)
        case .take(let expectation):
            if !expectation.take(callback) { answer(handler, .ended) }
        }
    }

    /// Handles a callback that no sign-in accepted. Only now is it certain that it did not belong to another sign-in.
    private func unclaimed(_ url: String, from handler: any Channel) {
        if address.callback(in: url) != nil, let expectation = turn.withLock(\.expectation) {
            ignored.withLock { $0.foreignResponses += 1 }
            expectation.ignore()
        }
        answer(handler, .notExpected)
    }

    private func answer(_ handler: any Channel, _ answer: CallbackMessage.Answer) {
        handler.triggerUserOutboundEvent(answer, promise: nil)
    }
}

/// The connection of one handler: it receives a line, sends a line, and closes.
private final class CallbackMailboxConnection: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    /// How long a handler may take to send its line.
    private static let lineTime = TimeAmount.seconds(5)

    private let validate: (String, any Channel) -> Void
    private var bytes = ByteBuffer()
    private var isRead = false
    private var deadline: Scheduled<Void>?

    init(validate: @escaping (String, any Channel) -> Void) {
        self.validate = validate
    }

    func channelActive(context: ChannelHandlerContext) {
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: Self.lineTime) { context.close(promise: nil) }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRead else { return }
        var more = unwrapInboundIn(data)
        bytes.writeBuffer(&more)
        guard bytes.readableBytes <= CallbackMessage.maximumBytes else { return context.close(promise: nil) }
        guard let end = bytes.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) else { return }
        isRead = true
        deadline?.cancel()
        let line = String(decoding: bytes.readableBytesView[..<end], as: UTF8.self)
        bytes.clear()
        validate(line, context.channel)
    }

    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let answer = event as? CallbackMessage.Answer else { return context.triggerUserOutboundEvent(event, promise: promise) }
        let written = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer.line)), promise: written)
        written.futureResult.cascade(to: promise)
        written.futureResult.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }
}
