// Not on Linux: FoundationNetworking sends Authorization and Cookie to foreign origins on redirects. The condition URLSESSION_ON_LINUX is for
// Tests/AppleAdapters, which compiles and runs these files over FoundationNetworking, and for nothing else.
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

/// Sends requests with URLSession, and so with the system's proxies, roots and connections, on Apple systems.
///
/// It follows no redirects, keeps no cookies, caches nothing and answers no challenge with stored credentials. The system undoes the
/// compression of bodies by itself. The whole exchange ends at the request's ``HTTPLoading/AttemptTimeout``; if that is noticed late,
/// because the machine slept, the response gets 10 more seconds. Bodies stream in both directions: a reader that is slow suspends the
/// exchange, which bounds what is read ahead to what the system hands over at once.
public final class SystemTransport: Transport {
    private let session: URLSession
    private let exchanges: Exchanges
    /// Held while a task is made: to make one in a session that has ended would end the program.
    private let isShut = Mutex(false)
    private let clock: LoadClock

    public convenience init() {
        self.init(clock: .continuous)
    }

    /// - Parameter clock: Measures timeouts.
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
        // The session keeps its delegate until it is told to end.
        session.finishTasksAndInvalidate()
    }

    /// Ends what is under way; what comes after fails.
    public func shutdown() async {
        isShut.withLock { isShut in
            guard !isShut else { return }
            isShut = true
            session.invalidateAndCancel()
        }
    }

    /// Sends the request as it is, once.
    ///
    /// - Throws: ``HTTPLoading/LoadError`` with `.invalidRequest` where it has no proper target, `.cannotConnect`, `.notSecure`,
    ///   `.connectionLost`, `.timedOut` or `.cancelled`; reading the body later throws the last three. `.bodySpent` where the body comes
    ///   but once, and was sent before: by the caller, or by the system, which sends again over a connection that was closed meanwhile.
    public func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        let message = try URLRequest(request)
        guard request.body.canBeSent else { throw .spent(request) }
        guard !Task.isCancelled else { throw LoadError(.cancelled, for: request) }
        let made = isShut.withLock { $0 ? nil : Exchange(request, task: task(for: request, message)) }
        guard let exchange = made else { throw LoadError(.cannotConnect, for: request, explanation: "already shutdown") }
        exchanges.add(exchange)
        let expiry = clock.now + request.options[AttemptTimeout.self]
        let timer = Task { [clock] in
            guard (try? await clock.sleep(untilTimeout: expiry)) != nil else { return }
            exchange.end(with: LoadError(.timedOut, for: request))
        }
        exchange.whenEnded { timer.cancel() }
        exchange.task.resume()
        let result = await withTaskCancellationHandler {
            await exchange.head()
        } onCancel: {
            exchange.end(with: LoadError(.cancelled, for: request))
        }
        let head = try result.get()
        let length = exchange.announcedLength(of: head)
        // Nobody will read it, and to end it here would close a connection that can be used again.
        guard length != 0 else { return LoadResponse(head, body: .empty) }
        let reading = Reading(exchange)
        return LoadResponse(
            head,
            body: ResponseBody(
                announcedLength: length,
                cancel: { reading.cancel() },
                next: { () async throws(LoadError) in try await reading.exchange.nextChunk() }))
    }

    private func task(for request: LoadRequest, _ message: URLRequest) -> URLSessionTask {
        guard let bytes = request.body.bytes else { return session.uploadTask(withStreamedRequest: message) }
        return bytes.isEmpty ? session.dataTask(with: message) : session.uploadTask(with: message, from: Data(bytes))
    }
}

/// The body's hold on its exchange: a body that is let go unread ends it.
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
