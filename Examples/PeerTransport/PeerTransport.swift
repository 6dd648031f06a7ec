import HTTPLoading
import HTTPTypes
import Synchronization

/// A transport that lets a peer send each request.
final class PeerTransport: Transport {
    private typealias Answer = Result<LoadResponse, LoadError>

    private struct State {
        var isClosed = false
        var lastID: Int64 = 0
        var waiting: [Int64: CheckedContinuation<Answer, Never>] = [:]
    }

    private static let bodyLimit = 1 << 20
    private let link: PeerLink
    private let state = Mutex(State())

    /// Creates a transport that owns one end of a link, and reads from it until it ends.
    init(_ link: PeerLink) {
        self.link = link
        Task { [weak self] in
            for await bytes in link.incoming { self?.receive(bytes) }
            self?.connectionEnded()
        }
    }

    func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        var body: [UInt8] = []
        var chunks = try await request.body.open().makeAsyncIterator()
        while let chunk = try await chunks.next() {
            guard body.count + chunk.count <= Self.bodyLimit else { throw LoadError(.tooLarge, for: request) }
            body += chunk
        }
        var head = request.head
        if head.headerFields[.contentType] == nil { head.headerFields[.contentType] = request.body.contentType }
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let answer: Answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    if !state.isClosed { state.waiting[id] = continuation }
                    return !state.isClosed
                }
                guard isOpen else { return continuation.resume(returning: .failure(LoadError(.cannotConnect, for: request))) }
                if Task.isCancelled { return settle(id, .failure(LoadError(.cancelled, for: request))) }
                if !link.send(PeerMessage.load(id, head, body: body).bytes) {
                    settle(id, .failure(LoadError(.cannotConnect, for: request)))
                }
                // Cancelled in the meantime: the first message about it may have overtaken the request.
                if Task.isCancelled { _ = link.send(PeerMessage.cancel(id).bytes) }
            }
        } onCancel: {
            // Before the peer is told, whose answer would arrive first otherwise.
            settle(id, .failure(LoadError(.cancelled, for: request)))
            _ = link.send(PeerMessage.cancel(id).bytes)
        }
        return try answer.get()
    }

    func shutdown() async {
        link.close()
    }

    private func receive(_ bytes: [UInt8]) {
        switch PeerMessage(bytes) {
        case .response(let id, let head, let body): settle(id, .success(LoadResponse(head, body: .bytes(body))))
        case .failure(let id, let mayHaveBeenSent): settle(id, .failure(LoadError(mayHaveBeenSent ? .connectionLost : .cannotConnect)))
        case .load, .cancel, nil: link.close()
        }
    }

    private func settle(_ id: Int64, _ answer: Answer) {
        state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: answer)
    }

    private func connectionEnded() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume(returning: .failure(LoadError(.connectionLost))) }
    }
}
