import AuthHubPrimitives
import NIOCore
import NIOHTTP1
import NIOPosix
import Platform
import Synchronization

/// A connection that runs the dialogue with one browser over its DevTools pipe, and delivers the callbacks it intercepts.
final class DevToolsConnection: Sendable {
    enum End: Sendable, Hashable {
        /// The last window is closed, but the browser may still run.
        case closed
        /// The browser closed the pipe: it has ended, or is about to end.
        case disconnected
        /// Communication failed; the reason, in words for the user.
        case failed(String)
    }

    private let dialogue: Mutex<DevToolsDialogue>
    private let channel = Mutex<(any Channel)?>(nil)
    private let callbacks: CapturedCallbacks?
    private let showing = OneTimeValue<End?>()
    private let ending = OneTimeValue<End>()

    /// The longest message of a browser, in bytes; longer ones are ignored.
    static let maximumMessageBytes = 1 << 20

    /// Takes ownership of this process's ends of the pipe, and starts the dialogue.
    ///
    /// - Throws: The system's error if they cannot be observed.
    static func open(
        _ pipe: DuplexPipe.Ends, _ dialogue: DevToolsDialogue, callbacks: CapturedCallbacks?
    ) async throws -> DevToolsConnection {
        let connection = DevToolsConnection(dialogue, callbacks)
        let channel: any Channel
        do {
            channel = try await NIOPipeBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(
                            FramedInput(
                                MessageFraming(end: 0, maximumBytes: maximumMessageBytes), receive: { connection.received($0) },
                                end: { connection.disconnected() }))
                    }
                }
                .takingOwnershipOfDescriptors(input: pipe.input, output: pipe.output).get()
        } catch {
            pipe.close()
            throw error
        }
        connection.channel.withLock { $0 = channel }
        connection.perform(connection.dialogue.withLock { $0.begin() })
        return connection
    }

    private init(_ dialogue: DevToolsDialogue, _ callbacks: CapturedCallbacks?) {
        self.dialogue = Mutex(dialogue)
        self.callbacks = callbacks
    }

    /// Waits until the page has been requested.
    ///
    /// - Returns: The end if it came first, or nil if there is a window now.
    var shown: End? {
        get async { await showing.value }
    }

    /// Waits until there are no windows left.
    var end: End {
        get async { await ending.value }
    }

    /// Stops waiting for the page.
    func giveUp(_ reason: String) {
        showing.settle(.failed(reason))
    }

    /// Asks the browser to quit.
    func closeBrowser() {
        send(dialogue.withLock { $0.command("Browser.close") })
    }

    /// Closes the pipe.
    func close() {
        channel.withLock { $0 }?.close(promise: nil)
    }

    private func received(_ piece: MessageFraming.Piece) {
        let message: DevToolsMessage? = if case .message(let bytes) = piece { DevToolsMessage(bytes) } else { nil }
        perform(
            dialogue.withLock { dialogue in
                message.map { dialogue.received($0) } ?? dialogue.receivedNonsense()
            })
    }

    private func disconnected() {
        channel.withLock { $0 = nil }
        finish(.disconnected)
    }

    private func finish(_ end: End) {
        showing.settle(end)
        ending.settle(end)
    }

    private func perform(_ actions: [DevToolsDialogue.Action]) {
        for action in actions {
            switch action {
            case .send(let command): send(command)
            case .shown: showing.settle(nil)
            case .closed: finish(.closed)
            case .failed(let reason): finish(.failed(reason))
            case .callback(let callback, let request): callbacks?.arrived(callback, from: Bearer(connection: self, request: request))
            case .refuse(let page, let request): answer(request, with: page)
            }
        }
    }

    private func send(_ command: DevToolsCommand) {
        guard let channel = channel.withLock({ $0 }) else { return }
        channel.writeAndFlush(ByteBuffer(bytes: command.bytes + [0]), promise: nil)
    }

    /// Shows a page instead of the requested one; no part of the request leaves the machine.
    private func answer(_ request: PausedRequest, with page: ResultPage) {
        let fields = page.headers.filter { $0.name != "Connection" && $0.name != "Content-Length" }
            .map { field -> JSONValue in ["name": .string(field.name), "value": .string(field.value)] }
        let parameters: JSONValue = [
            "requestId": .string(request.id), "responseCode": .number(JSONNumber(Int64(page.status.code))),
            "responseHeaders": .array(fields), "body": .string(Data(page.html.utf8).base64EncodedString()),
        ]
        send(dialogue.withLock { $0.command("Fetch.fulfillRequest", parameters) })
    }

    /// The tab that was redirected to the redirect URI, and is paused until it receives the result of the sign-in.
    private struct Bearer: CallbackBearer {
        let connection: DevToolsConnection
        let request: PausedRequest

        func answer(_ page: ResultPage) { connection.answer(request, with: page) }
    }
}
