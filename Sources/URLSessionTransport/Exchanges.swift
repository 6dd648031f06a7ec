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

/// The delegate of the session: hands each event to the exchange it belongs to.
final class Exchanges: NSObject, Sendable {
    private struct State {
        var exchanges: [Int: Exchange] = [:]
        var isShut = false
    }

    private let state = Mutex(State())

    var isShut: Bool { state.withLock { $0.isShut } }

    func add(_ exchange: Exchange) {
        state.withLock { $0.exchanges[exchange.task.taskIdentifier] = exchange }
    }

    func shut() {
        state.withLock { $0.isShut = true }
    }

    private func exchange(of task: URLSessionTask) -> Exchange? {
        state.withLock { $0.exchanges[task.taskIdentifier] }
    }
}

extension Exchanges: URLSessionDataDelegate {
    /// A redirect is a response like others; what becomes of it is for the chain.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse, newRequest: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// The system asks once for each sending of its own, as after a connection that was closed meanwhile.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        guard let exchange = exchange(of: task), exchange.request.body.canBeSent, let upload = Upload(exchange) else {
            completionHandler(nil)
            return
        }
        completionHandler(upload.input)
        upload.start()
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let exchange = exchange(of: dataTask), let response = response as? HTTPURLResponse else {
            completionHandler(.cancel)
            return
        }
        let coding = response.value(forHTTPHeaderField: "Content-Encoding")?.lowercased()
        exchange.received(HTTPResponse(response, isDecompressed: coding.map { $0 != "identity" } ?? false))
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.received([UInt8](data)[...])
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = state.withLock { $0.exchanges.removeValue(forKey: task.taskIdentifier) }
        guard let exchange else { return }
        exchange.end(with: error.map { LoadError(session: $0, for: exchange.request) })
    }
}
#endif
