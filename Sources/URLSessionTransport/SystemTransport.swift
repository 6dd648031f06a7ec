// Not on Linux: FoundationNetworking sends Authorization and Cookie to foreign origins on redirects. The condition URLSESSION_ON_LINUX is for
// checking that this file compiles, and for nothing else.
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
/// compression of bodies by itself. The whole exchange ends at the request's ``HTTPLoading/AttemptTimeout``. Bodies stream in both
/// directions: a reader that is slow suspends the exchange, which bounds what is read ahead to what the system hands over at once.
public final class SystemTransport: Transport {
    private let session: URLSession
    private let exchanges: Exchanges

    public init() {
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
        exchanges.shut()
        session.invalidateAndCancel()
    }

    /// Sends the request as it is, once.
    ///
    /// - Throws: ``HTTPLoading/LoadError`` with `.invalidRequest` where it has no proper target, `.cannotConnect`, `.notSecure`,
    ///   `.connectionLost`, `.timedOut` or `.cancelled`. Reading the body later throws the last three.
    public func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        let message = try URLRequest(request)
        guard !exchanges.isShut else { throw LoadError(.cannotConnect, for: request, explanation: "already shutdown") }
        let task: URLSessionTask =
            if let bytes = request.body.bytes, !bytes.isEmpty {
                session.uploadTask(with: message, from: Data(bytes))
            } else if request.body.bytes != nil {
                session.dataTask(with: message)
            } else {
                session.uploadTask(withStreamedRequest: message)
            }
        let exchange = Exchange(request, task: task)
        exchanges.add(exchange)
        let timer = Task { [limit = request.options[AttemptTimeout.self]] in
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            exchange.end(with: LoadError(.timedOut, for: request))
        }
        exchange.whenEnded { timer.cancel() }
        task.resume()
        let result = await withTaskCancellationHandler {
            await exchange.head()
        } onCancel: {
            exchange.end(with: LoadError(.cancelled, for: request))
        }
        let head = try result.get()
        let reading = Reading(exchange)
        return LoadResponse(
            head,
            body: ResponseBody(
                announcedLength: exchange.announcedLength(of: head),
                cancel: { reading.cancel() },
                next: { () async throws(LoadError) in try await reading.exchange.nextChunk() }))
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
