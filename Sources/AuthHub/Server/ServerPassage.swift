import HTTPLoading
import HTTPTypes
import Synchronization

/// One request on its way through the app's loaders. The guard behind them compares it with the request they pass on.
final class ServerPassage: Sendable {
    private enum State {
        case open
        case underWay
        case sent
        case failed(LoadError)
        case closed
    }

    private let original: LoadRequest
    private let state = Mutex(State.open)

    init(of request: LoadRequest) {
        original = request
    }

    /// The request as the app's loaders get it.
    var request: LoadRequest {
        var request = original
        request.options[ServerPassage.self] = self
        return request
    }

    /// Checks the request that the loaders pass on.
    ///
    /// - Returns: The request to send: the session's own, with the loaders' header fields and body.
    /// - Throws: ``LoadError``: `.invalidRequest` if it is another request or was sent before, the error of the first attempt if that one
    ///   may have reached the server.
    func admit(_ request: LoadRequest) throws(LoadError) -> LoadRequest {
        let (ours, theirs) = (original.head, request.head)
        guard request.id == original.id else {
            throw refusal("replaced a request with another one; it may only modify the request that it receives")
        }
        guard theirs.scheme == ours.scheme, theirs.authority == ours.authority, theirs.path == ours.path, theirs.method == ours.method
        else {
            throw refusal(
                "changed the URL or the method of a request; it may only change the body and header fields other than Authorization")
        }
        guard theirs.headerFields[fields: .authorization] == ours.headerFields[fields: .authorization] else {
            throw refusal(
                "changed the Authorization field of a request; it may only change the body and header fields other than Authorization")
        }
        let former = state.withLock { state in
            defer { if case .open = state { state = .underWay } }
            return state
        }
        switch former {
        case .open: break
        case .underWay, .sent:
            throw refusal("sent a request a second time; it must be sent only once, because it may use up a code or a token")
        case .failed(let error): throw error
        case .closed: throw LoadError(.timedOut, for: original, explanation: "the caller no longer waits for this request; it was not sent")
        }
        var admitted = original
        admitted.head.headerFields = theirs.headerFields
        admitted.body = request.body
        return admitted
    }

    /// Records that the server has responded.
    func sent() { end(.sent) }

    /// Records that the attempt failed. A request that was certainly not sent may be sent again.
    func failed(_ error: LoadError) { end(error.mayHaveBeenSent ? .failed(error) : .open) }

    /// Rejects all further requests: the caller no longer waits for the loaders.
    func close() { state.withLock { $0 = .closed } }

    /// Metadata may be requested again, because a request for it uses nothing up.
    private func end(_ outcome: State) {
        state.withLock { state in
            if case .underWay = state { state = original.head.method == .get ? .open : outcome }
        }
    }

    private func refusal(_ fault: String) -> LoadError { Self.refusal(of: original, because: fault) }

    static func refusal(of request: LoadRequest, because fault: String) -> LoadError {
        let explanation = "a loader of serverLoaders \(fault)"
        return LoadError(
            .invalidRequest, for: request, explanation: explanation, underlying: SessionError(.misconfigured, explanation))
    }
}

extension ServerPassage: RequestOption {
    static var defaultValue: ServerPassage? { nil }
}
