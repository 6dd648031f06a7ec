import AuthHub
import HTTPTypes

/// The rules of a proxy between a host that speaks over standard streams and a server that speaks over HTTP (MCP, Streamable HTTP), as a value
/// type: it receives an event and returns the next effects. It never waits.
struct ProxyMachine: Sendable {
    /// A point in time, as on the clock of a chain.
    typealias Instant = Duration

    struct Server: Sendable {
        let url: String
        /// The command that signs in.
        let login: String
        /// Whether requests are sent with the token of an account; false if the user adds an `Authorization` field.
        let usesAccount: Bool
        /// The beginning of the IDs of the proxy's own requests, which no host uses.
        let ownIDs: String
    }

    /// Sizes in bytes.
    struct Limits: Sendable {
        /// The maximum size of a message of the server.
        var message = EventStream.usualSizeLimit
        /// The size above which a message is large. Only one large message at a time is held in memory.
        var large = 1024 * 1024
    }

    enum Event: Sendable {
        case received(HostLine)
        /// The host has closed its output.
        case inputEnded
        /// The host has ended, or the user has interrupted the proxy.
        case cancelled
        case responded(ServerResponse, to: ProxyRequest.ID)
        case read(ArraySlice<UInt8>, of: ProxyRequest.ID)
        case bodyEnded(ProxyRequest.ID)
        /// There is no response, or its body cannot be read to its end.
        case failed(ProxyFailure, ProxyRequest.ID)
        case signInEnded(Result<SignInParty, ProxyFailure>)
        /// Whether another process has signed in.
        case othersAsked(Bool)
        /// An instant that the machine waits for has passed.
        case time
    }

    enum Effect: Sendable {
        case send(ProxyRequest)
        /// Read the next bytes of the response's body.
        case read(ProxyRequest.ID)
        /// Cancel the request, or the rest of the response's body.
        case close(ProxyRequest.ID)
        /// Write a message to the host.
        case write([UInt8])
        case warn(String)
        case report(ProxyFailure)
        case signIn(SignInNeed)
        /// Find out whether another process has signed in.
        case askOthers(SignInNeed)
        /// Report the time at this instant, instead of any earlier one.
        case wait(until: Instant)
        /// Nothing is left to do.
        case finish
    }

    let server: Server
    let limits: Limits
    var (now, effects) = (Instant.zero, [Effect]())
    private var deadlines = Deadlines()

    var exchanges: [Int: Exchange] = [:]
    private var lastNumber = 0
    private var lastOwnID = 0
    private var input = Input.open
    private var isClosing = false
    /// The exchange that all later messages wait for.
    var handshake: Int?

    /// The `initialize` request, which starts a new session if the server no longer knows this one.
    var initialization: RemoteMessage?
    var session: String?
    /// The session in which the server has accepted a message.
    var workingSession: String?
    /// The session that the server has ended; nil unless a new one is being started.
    var lostSession: String?
    /// The revision that was negotiated by `initialize`; nil if the host sends none.
    var revision: String?
    /// Whether the server has ever responded to a message.
    var hasAnswered = false
    var parameters = ToolParameters()
    var access = Access()
    var largeMessages = LargeMessages()

    private enum Input { case open, ended, cancelled }

    /// The maximum time to wait for outstanding responses after the host has closed its output.
    private static let endingLimit = Duration.seconds(300)

    init(_ server: Server, limits: Limits = Limits()) { (self.server, self.limits) = (server, limits) }

    mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        self.now = now
        effects = []
        switch event {
        case .received(let line): if input == .open { accept(line) }
        case .inputEnded: endInput()
        case .cancelled: cancel()
        case .responded(let response, let id): if let number = number(id) { responded(response, number) }
        case .read(let bytes, let id): if let number = number(id) { read(bytes, number) }
        case .bodyEnded(let id): if let number = number(id) { bodyEnded(number, nil) }
        case .failed(let failure, let id): if let number = number(id) { bodyEnded(number, failure) }
        case .signInEnded(let result): signInEnded(result)
        case .othersAsked(let haveSignedIn): othersAsked(haveSignedIn)
        case .time: for deadline in deadlines.due(at: now) { reached(deadline) }
        }
        closeIfDone()
        if let next = deadlines.next() { effects.append(.wait(until: next)) }
        return effects
    }

    /// The exchange whose current request has the ID.
    private func number(_ id: ProxyRequest.ID) -> Int? {
        guard let exchange = exchanges[id.exchange], exchange.isOpen, exchange.attempt == id.attempt else { return nil }
        return id.exchange
    }

    private mutating func reached(_ deadline: Deadline) {
        switch deadline {
        case .handshake(let number): release(number)
        case .pause(let number): open(number)
        case .turn(let number): stopWaitingForTurn(number)
        case .input: cancel()
        }
    }
}

// MARK: - The end

extension ProxyMachine {
    private mutating func endInput() {
        guard input == .open else { return }
        input = .ended
        for number in numbers(where: { $0.isOfHost && $0.message?.method == "subscriptions/listen" }) { end(number) }
        set(.input, after: Self.endingLimit)
    }

    /// Ends everything that is in progress, without a response to the host.
    private mutating func cancel() {
        guard !isClosing else { return }
        input = .cancelled
        // The exchanges that wait for others end before them.
        for number in exchanges.keys.sorted(by: >) { end(number) }
    }

    /// Ends the session at the server once all messages are answered and no more can arrive.
    private mutating func closeIfDone() {
        guard input != .open, !isClosing, numbers(where: \.isOfHost).isEmpty else { return }
        isClosing = true
        for number in exchanges.keys.sorted(by: >) { end(number) }
        deadlines = Deadlines()
        guard session != nil else { return effects.append(.finish) }
        send(add(.end), .delete, sessionFields, timeout: .seconds(2))
    }
}

// MARK: - Exchanges

extension ProxyMachine {
    mutating func add(_ purpose: Exchange.Purpose, _ message: RemoteMessage? = nil) -> Int {
        lastNumber += 1
        exchanges[lastNumber] = Exchange(purpose, message, sizeLimit: limits.message)
        return lastNumber
    }

    /// Returns an ID for a request of the proxy itself.
    mutating func ownID() -> String {
        lastOwnID += 1
        return "\(server.ownIDs)-\(lastOwnID)"
    }

    /// The numbers of exchanges, from the oldest.
    func numbers(where condition: (Exchange) -> Bool) -> [Int] { exchanges.filter { condition($0.value) }.keys.sorted() }

    mutating func send(
        _ number: Int, _ method: HTTPRequest.Method, _ fields: HTTPFields, body: [UInt8] = [], timeout: Duration,
        phase: Exchange.Phase = .sent
    ) {
        exchanges[number]?.attempt += 1
        exchanges[number]?.isOpen = true
        exchanges[number]?.phase = phase
        let id = ProxyRequest.ID(exchange: number, attempt: exchanges[number]?.attempt ?? 0)
        effects.append(.send(ProxyRequest(id: id, method: method, fields: fields, body: body, timeout: timeout)))
    }

    /// Reads more of the response's body.
    mutating func readMore(_ number: Int, _ phase: Exchange.Phase) {
        exchanges[number]?.phase = phase
        guard let attempt = exchanges[number]?.attempt else { return }
        effects.append(.read(ProxyRequest.ID(exchange: number, attempt: attempt)))
    }

    /// Ends the current request of an exchange.
    mutating func close(_ number: Int) {
        guard let exchange = exchanges[number], exchange.isOpen else { return }
        effects.append(.close(ProxyRequest.ID(exchange: number, attempt: exchange.attempt)))
        closed(number)
    }

    /// Notes that the current request of an exchange has ended.
    mutating func closed(_ number: Int) {
        exchanges[number]?.isOpen = false
        endTurn(number)
    }

    /// Ends an exchange, and those that were started for it.
    mutating func end(_ number: Int) {
        close(number)
        guard let exchange = exchanges.removeValue(forKey: number) else { return }
        for dependent in numbers(where: { $0.client == number }) { end(dependent) }
        deadlines.remove(of: number)
        if case .end = exchange.purpose { effects.append(.finish) }
        release(number)
    }

    mutating func set(_ deadline: Deadline, after duration: Duration) { deadlines.set(deadline, at: now + duration) }

    mutating func remove(_ deadline: Deadline) { deadlines.remove(deadline) }
}
