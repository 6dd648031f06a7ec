// Not on Linux: FoundationNetworking sends Authorization and Cookie to foreign origins on redirects. The condition URLSESSION_ON_LINUX is
// only for Tests/AppleAdapters, which compiles and runs these files with FoundationNetworking.
#if canImport(Darwin) || URLSESSION_ON_LINUX
import AuthHubPrimitives
public import HTTPLoading
import HTTPTypes
import Synchronization

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
#else
import Foundation
#endif

/// A transport for Apple systems that sends requests with URLSession, and therefore uses the system's proxies, certificate authorities and
/// connections.
///
/// It does not follow redirects, store cookies, cache responses or respond to challenges with stored credentials. The system decompresses
/// bodies. ``HTTPLoading/AttemptTimeout`` limits the time of the whole exchange; if the timeout passes while the machine is asleep, the
/// response has 10 more seconds to arrive. Bodies are streamed in both directions: a slow reader suspends the transfer, so only the bytes
/// that the system delivers in one piece are buffered.
public final class SystemTransport: Transport {
    private let session: URLSession
    private let exchanges: Exchanges
    /// Whether the session has ended. The lock is held while a task is created, because creating one in an ended session would crash the
    /// program.
    private let isShut = Mutex(false)
    private let clock: LoadClock

    /// Creates a transport with its own ephemeral URL session.
    public convenience init() {
        self.init(clock: .continuous)
    }

    /// Creates a transport.
    ///
    /// - Parameter clock: The clock for timeouts.
    init(clock: LoadClock) {
        self.clock = clock
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        exchanges = Exchanges()
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit {
        // The session retains its delegate until it is invalidated.
        session.finishTasksAndInvalidate()
    }

    /// Cancels requests in progress; later ones fail.
    public func shutdown() async {
        isShut.withLock { isShut in
            guard !isShut else { return }
            isShut = true
            session.invalidateAndCancel()
        }
    }

    /// Sends the request once, unchanged.
    ///
    /// - Throws: ``HTTPLoading/LoadError`` with `.invalidRequest` if the request has no valid target; with `.cannotConnect` or `.notSecure`
    ///   if no connection was established; with `.connectionLost`, `.timedOut` or `.cancelled`, which can also occur later, when the body
    ///   is read; or with `.bodySpent` if the body can be read only once and has been sent before, by the caller or by the system. The
    ///   system sends a body again if a connection was closed in the meantime.
    public func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        let message = try URLRequest(request)
        guard request.body.canBeSent else { throw .spent(request) }
        guard !Task.isCancelled else { throw LoadError(.cancelled, for: request) }
        guard let exchange = await URLSession.performing({ [self] in exchange(for: request, message) }) else {
            throw LoadError(.cannotConnect, for: request, explanation: "already shutdown")
        }
        exchanges.add(exchange)
        let expiry = clock.now + request.options[AttemptTimeout.self]
        let timer = Task { [clock] in
            guard (try? await clock.sleep(untilTimeout: expiry)) != nil else { return }
            exchange.end(with: LoadError(.timedOut, for: request))
        }
        exchange.whenEnded { timer.cancel() }
        await URLSession.performing { exchange.task.resume() }
        let result = await withTaskCancellationHandler {
            await exchange.head()
        } onCancel: {
            exchange.end(with: LoadError(.cancelled, for: request))
        }
        let head = try result.get()
        let length = exchange.announcedLength(of: head)
        // No one will read it, and ending it here would close a connection that can be reused.
        guard length != 0 else { return LoadResponse(head, body: .empty) }
        let reading = Reading(exchange)
        return LoadResponse(
            head,
            body: ResponseBody(
                announcedLength: length,
                cancel: { reading.cancel() },
                next: { () async throws(LoadError) in try await reading.exchange.nextChunk() }))
    }

    /// Returns nil if the session has ended.
    private func exchange(for request: LoadRequest, _ message: URLRequest) -> Exchange? {
        isShut.withLock { $0 ? nil : Exchange(request, task: task(for: request, message)) }
    }

    private func task(for request: LoadRequest, _ message: URLRequest) -> URLSessionTask {
        guard let bytes = request.body.bytes else { return session.uploadTask(withStreamedRequest: message) }
        return bytes.isEmpty ? session.dataTask(with: message) : session.uploadTask(with: message, from: Data(bytes))
    }
}

/// A reference from the body to its exchange: a body that is released unread ends the exchange.
private final class Reading: Sendable {
    let exchange: Exchange

    init(_ exchange: Exchange) {
        self.exchange = exchange
    }

    deinit {
        cancel()
    }

    func cancel() {
        exchange.end(with: LoadError(.cancelled, for: exchange.request))
    }
}
#endif
