#if canImport(Darwin) || AUTHENTICATION_SERVICES_ON_LINUX
import Synchronization
import WebAuthentication

/// A sign-in in a system window.
final class SystemAttempt: WebAuthenticationAttempt {
    private let callback: CallbackMethod
    private let address: CallbackAddress
    private let queue: WindowQueue
    private let clock: any Clock<Duration>
    private let makeWindow: @MainActor @Sendable () -> any SystemWindow
    private let isUsed = Mutex(false)

    init(
        _ callback: CallbackMethod, address: CallbackAddress, queue: WindowQueue, clock: any Clock<Duration>,
        makeWindow: @escaping @MainActor @Sendable () -> any SystemWindow
    ) {
        self.callback = callback
        self.address = address
        self.queue = queue
        self.clock = clock
        self.makeWindow = makeWindow
    }

    var redirectURI: String { address.redirectURI }

    func authenticate(_ request: WebAuthenticationRequest) async throws(WebAuthenticationError) -> ReceivedCallback {
        guard use() else {
            throw WebAuthenticationError(.cannotReceive, "this attempt was already used or closed; prepare another one")
        }
        let visit = Visit(try Page(request, callback: callback), clock: clock, makeWindow: makeWindow) { [address] url in
            guard let callback = address.callback(in: url) else {
                return .failure(WebAuthenticationError(.refused, "the system returned a URL other than the redirect URI; sign in again"))
            }
            guard request.expects(callback) else { return .failure(.unexpectedCallback) }
            return .success(callback)
        }
        let outcome = await withTaskCancellationHandler {
            await visit.outcome(within: request.timeout, in: queue)
        } onCancel: {
            Task { @MainActor in visit.cancel() }
        }
        return ReceivedCallback(try outcome.get())
    }

    func close() async {
        _ = use()
    }

    private func use() -> Bool {
        isUsed.withLock { isUsed in
            defer { isUsed = true }
            return !isUsed
        }
    }
}
#endif
