#if canImport(Darwin) || URLSESSION_ON_LINUX
import HTTPLoading
import HTTPTypes
import Synchronization

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
#else
import Foundation
#endif

/// The delegate of the session, which passes each event to its exchange.
final class Exchanges: NSObject, Sendable {
    private let exchanges = Mutex<[Int: Exchange]>([:])

    func add(_ exchange: Exchange) {
        exchanges.withLock { $0[exchange.task.taskIdentifier] = exchange }
    }

    private func exchange(of task: URLSessionTask) -> Exchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }
}

extension Exchanges: URLSessionDataDelegate {
    /// Returns a redirect as a response; the chain decides what to do with it.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse, newRequest: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// Provides a body stream. The system requests one for each of its own attempts, for example after a connection was closed in the
    /// meantime, even for bodies whose bytes it already has.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        guard let exchange = exchange(of: task) else { return completionHandler(nil) }
        let request = exchange.request
        guard request.body.canBeSent, let body = Upload.start(exchange) else {
            exchange.end(with: request.body.canBeSent ? LoadError(.invalidRequest, for: request) : .spent(request))
            return completionHandler(nil)
        }
        completionHandler(body)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let exchange = exchange(of: dataTask) else { return completionHandler(.cancel) }
        guard let head = (response as? HTTPURLResponse).flatMap({ HTTPResponse($0) }) else {
            exchange.end(with: LoadError(.invalidResponse, for: exchange.request, explanation: "the response is not HTTP"))
            return completionHandler(.cancel)
        }
        exchange.received(head)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.received([UInt8](data)[...])
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        guard let exchange else { return }
        exchange.end(with: error.map { LoadError(session: $0, for: exchange.request) })
    }
}
#endif
