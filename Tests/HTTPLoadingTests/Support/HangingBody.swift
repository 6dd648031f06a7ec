import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Synchronization

/// The body of a response that never arrives; reading it ends when it is cancelled.
final class HangingBody: Sendable {
    /// Fires when a read starts.
    let isRead = Signal()
    private let isCancelled = Signal()
    private let count = Mutex(0)

    var cancellations: Int { count.withLock { $0 } }

    var answer: ScriptedAnswer {
        ScriptedAnswer { [self] _ throws(LoadError) in response() }
    }

    func response() -> LoadResponse {
        let body = ResponseBody(
            cancel: { [self] in
                count.withLock { $0 += 1 }
                isCancelled.fire()
            },
            next: { [self] () async throws(LoadError) in
                isRead.fire()
                await isCancelled.wait()
                throw LoadError(.connectionLost)
            })
        return LoadResponse(HTTPResponse(status: .ok), body: body)
    }
}
