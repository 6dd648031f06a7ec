import AuthHubPrimitives
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A listener for one callback on a port of 127.0.0.1 (RFC 8252 §7.3).
///
/// The port is bound before the redirect URI exists and held until the sign-in has ended, so that no other program can bind it in between.
/// It listens only on the IPv4 loopback address, and the redirect URI contains only this address, because `localhost` may lead to another
/// user's listener on `[::1]` (RFC 8252 §8.3). Other users of the machine can connect, and get an error page (``PeerSockets``).
final class LoopbackListener: CallbackReceiver {
    let redirectURI: String
    private let port: Int
    private let server: any Channel
    private let connections: Connections
    private let limits: LoopbackLimits
    private let clock: any Clock<Duration>
    private let timer = Mutex<Task<Void, Never>?>(nil)
    /// The listeners of this process that have concluded and still hold their ports, by port.
    private static let concluded = StaticMutex<[Int: LoopbackListener]>([:])

    /// Binds the port and starts to respond.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotReceive` if the port is in use or not permitted, or the path is invalid.
    static func bind(
        port: UInt16,
        path: String,
        limits: LoopbackLimits = LoopbackLimits(),
        clock: any Clock<Duration>,
        sources: [any SocketSource] = PeerSockets.systemSources
    ) async throws(WebAuthenticationError) -> LoopbackListener {
        guard isPath(path) else {
            throw WebAuthenticationError(
                .cannotReceive, "the callback path must begin with “/” and have no query, fragment or spaces, such as /callback"
            )
        }
        let connections = Connections(limit: limits.connections, sources: sources)
        do {
            let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton.next())
                .serverChannelOption(.backlog, value: 128)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try connections.add(channel, path: path, limits: limits) }
                }
                // Not by the host's name: that would call the system's resolver, which blocks this thread.
                .bind(to: SocketAddress(ipAddress: "127.0.0.1", port: Int(port))).get()
            connections.know(listener: server.localAddress)
            return LoopbackListener(server: server, path: path, connections: connections, limits: limits, clock: clock)
        } catch {
            // The next sign-in of this process takes precedence over browsers that repeat the last callback.
            if (error as? IOError)?.errnoCode == EADDRINUSE, let own = concluded.withLock({ $0.removeValue(forKey: Int(port)) }) {
                await own.close()
                return try await bind(port: port, path: path, limits: limits, clock: clock, sources: sources)
            }
            throw WebAuthenticationError(.cannotReceive, explanation(of: error, port: port), underlying: error)
        }
    }

    private init(server: any Channel, path: String, connections: Connections, limits: LoopbackLimits, clock: any Clock<Duration>) {
        self.server = server
        self.connections = connections
        self.limits = limits
        self.clock = clock
        port = server.localAddress?.port ?? 0
        redirectURI = LoopbackRules(port: port, path: path).redirectURI
    }

    var responseModes: Set<CallbackResponseMode> { [.query, .fragment, .form] }

    var ignored: IgnoredCallbacks { connections.ignored.withLock { $0 } }

    /// Returns a URL that redirects a browser to the page, once, for as long as this port is open. Each call creates another one.
    func start(leadingTo page: ShownURL) -> String {
        let start = StartAddress(leadingTo: page)
        connections.starts.withLock { $0.append(start) }
        return "http://127.0.0.1:\(port)\(start.path)"
    }

    func expect(
        by responseMode: CallbackResponseMode, _ expects: @escaping @Sendable (CallbackURL) -> Bool,
        take: @escaping @Sendable (CallbackURL) -> Bool, ignore: @escaping @Sendable () -> Void
    ) {
        connections.responseMode.withLock { $0 = responseMode }
        connections.turn.withLock {
            $0.expect(
                .init(expects: expects, take: take, ignore: ignore).limited { [self] in
                    after(limits.conclusion) { await self.answer(.undecided) }
                })
        }
    }

    /// Responds to the browsers that delivered the callback, and closes the port a moment later. Only the first conclusion counts.
    func conclude(_ page: CallbackPage) async {
        await answer(ResultPage(page))
    }

    private func answer(_ page: ResultPage) async {
        guard let browsers = connections.turn.withLock({ $0.conclude(page) }) else { return }
        Self.concluded.withLock { $0[port] = self }
        after(limits.grace) { await self.close() }
        for browser in browsers {
            try? await browser.triggerUserOutboundEvent(page).get()
        }
    }

    /// Closes the port and every connection; when it returns, the port is free.
    func close() async {
        leave()
        timer.withLock { $0?.cancel() }
        connections.turn.withLock { $0.end() }
        try? await server.close().get()
        for channel in connections.list.withLock(\.channels) {
            try? await channel.close().get()
        }
    }

    /// Closes the port without waiting for it.
    func abandon() {
        leave()
        server.close(promise: nil)
        for channel in connections.list.withLock(\.channels) { channel.close(promise: nil) }
    }

    private func leave() {
        Self.concluded.withLock { if $0[port] === self { $0[port] = nil } }
    }

    private func after(_ duration: Duration, _ action: @escaping @Sendable () async -> Void) {
        timer.withLock { timer in
            timer?.cancel()
            timer = Task { [clock] in
                guard (try? await clock.sleep(for: duration)) != nil else { return }
                await action()
            }
        }
    }

    private static func isPath(_ path: String) -> Bool {
        path.hasPrefix("/") && path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"?#\\".utf8.contains($0) }
    }

    private static func explanation(of error: any Error, port: UInt16) -> String {
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE?:
            "port \(port) of 127.0.0.1 is in use by another program; quit that program, or choose another port (0 for any free port)"
        case EACCES?:
            "port \(port) of 127.0.0.1 is reserved for the system; choose one above 1023 (0 for any free port)"
        default:
            "cannot listen on 127.0.0.1:\(port) (\(error)); choose another port (0 for any free port)"
        }
    }
}

/// The state that the connections share: the list of them, and the turn.
private final class Connections: Sendable {
    let turn = Mutex(CallbackTurn<any Channel>())
    let responseMode = Mutex(CallbackResponseMode.query)
    let tickets = Mutex(FragmentTickets())
    let starts = Mutex(StartAddresses())
    let ignored = Mutex(IgnoredCallbacks())
    let list: Mutex<ConnectionList>
    private let sources: [any SocketSource]
    private let sockets = Mutex<PeerSockets?>(nil)

    init(limit: Int, sources: [any SocketSource]) {
        list = Mutex(ConnectionList(limit: limit))
        self.sources = sources
    }

    @discardableResult
    func know(listener: SocketAddress?) -> PeerSockets {
        sockets.withLock { sockets in
            let known = sockets ?? PeerSockets(listeningAt: listener, sources: sources)
            sockets = known
            return known
        }
    }

    func add(_ channel: any Channel, path: String, limits: LoopbackLimits) throws {
        let rules = LoopbackRules(port: channel.localAddress?.port ?? 0, path: path)
        // Before the request is read: the peer may have closed its socket afterwards.
        let sockets = know(listener: channel.localAddress)
        let peer = sockets.peer(at: channel.remoteAddress, of: channel.localAddress)
        let isTrusted = sockets.isTrusted(peer)
        var lengths = NIOHTTPDecoderLimitConfiguration()
        lengths.maxHeaderFieldSize = LoopbackRules.maximumBytes * 2
        lengths.maxHeaderListSize = LoopbackRules.maximumBytes * 2
        try channel.pipeline.syncOperations.addHandlers(
            HTTPResponseEncoder(),
            ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: lengths)),
            LoopbackConnection(limits: limits) { isTrusted ? self.validate($0, $1, by: rules, for: $2) : self.reject(peer, $2) })
        list.withLock { $0.opened(channel) }?.close(promise: nil)
        channel.closeFuture.whenComplete { _ in self.list.withLock { $0.closed(channel) } }
    }

    private func reject(_ peer: PeerSockets.Peer, _ browser: any Channel) -> LoopbackConnection.Step {
        list.withLock { $0.sentRequest(browser) }
        ignore { $0.rejected(peer) }
        answer(browser, with: ResultPage.otherUser)
        return .answered
    }

    private func validate(
        _ head: HTTPRequestHead, _ body: [UInt8]?, by rules: LoopbackRules, for browser: any Channel
    ) -> LoopbackConnection.Step {
        list.withLock { $0.sentRequest(browser) }
        let responseMode = responseMode.withLock { $0 }
        switch body.map({ rules.validate($0, of: head, responseMode) }) ?? rules.validate(head, responseMode) {
        case .refuse(let page): answer(browser, with: page)
        case .foreign(let page):
            ignore { $0.foreignResponses += 1 }
            answer(browser, with: page)
        case .callback(let callback): perform(turn.withLock { $0.arrived(callback, from: browser) }, callback, browser)
        case .showFragmentPage where turn.withLock(\.isOpen):
            answer(browser, with: FragmentPage(ticket: tickets.withLock { $0.issue() }))
        case .showFragmentPage: answer(browser, with: ResultPage.ended)
        case .start(let ticket): answer(browser, with: begin(by: ticket))
        case .readFragment(let ticket) where !tickets.withLock({ $0.redeem(ticket) }): answer(browser, with: ResultPage.notFromHere)
        case .readBody, .readFragment: return .body(atMost: PostedForm.maximumBytes)
        }
        return .answered
    }

    private func perform(_ action: CallbackTurn<any Channel>.Action, _ callback: CallbackURL, _ browser: any Channel) {
        switch action {
        case .wait: break
        case .answer(let page):
            if page == .notExpected { ignore { $0.foreignResponses += 1 } }
            answer(browser, with: page)
        case .ask(let expectation):
            guard expectation.expects(callback) else {
                ignore { $0.foreignResponses += 1 }
                return answer(browser, with: ResultPage.notExpected)
            }
            perform(turn.withLock { $0.accept(callback, from: browser) }, callback, browser)
        case .take(let expectation):
            if !expectation.take(callback) { answer(browser, with: ResultPage.ended) }
        }
    }

    /// Counts a rejection while a callback may still arrive, and notifies the waiting expectation.
    private func ignore(_ count: (inout IgnoredCallbacks) -> Void) {
        ignored.withLock { count(&$0) }
        turn.withLock(\.expectation)?.ignore()
    }

    private func begin(by ticket: String) -> any BrowserPage {
        guard turn.withLock(\.isOpen) else { return ResultPage.ended }
        return starts.withLock { $0.page(for: ticket) } ?? ResultPage.notFound
    }

    private func answer(_ browser: any Channel, with page: any BrowserPage) {
        browser.triggerUserOutboundEvent(page, promise: nil)
    }
}
