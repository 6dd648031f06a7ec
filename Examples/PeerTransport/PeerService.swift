import AuthHubPrimitives
import HTTPLoading
import Synchronization

/// A service that sends requests on behalf of a peer, through its own chain, and only to the allowed origins.
final class PeerService: Sendable {
    private static let bodyLimit = 1 << 20
    private let chain: Chain
    private let origins: Set<Origin>
    private let loads = Mutex<[Int64: Task<Void, Never>]>([:])

    init(_ chain: Chain, origins: Set<Origin>) {
        self.chain = chain
        self.origins = origins
    }

    /// Serves a peer until its connection ends; then its requests in progress are cancelled.
    func serve(_ link: PeerLink) async {
        for await bytes in link.incoming {
            switch PeerMessage(bytes) {
            case .load(let id, let head, let body):
                // A request that the service may not send counts as not sent.
                guard let origin = Origin(head), origins.contains(origin) else {
                    _ = link.send(PeerMessage.failure(id, mayHaveBeenSent: false).bytes)
                    continue
                }
                let request = LoadRequest(head, body: .bytes(body))
                loads.withLock { loads in
                    loads[id] = Task {
                        let message = await self.answer(request, id)
                        _ = self.loads.withLock { $0.removeValue(forKey: id) }
                        _ = link.send(message.bytes)
                    }
                }
            case .cancel(let id): loads.withLock { $0[id] }?.cancel()
            case .response, .failure, nil: link.close()
            }
        }
        for load in loads.withLock({ Array($0.values) }) { load.cancel() }
    }

    private func answer(_ request: LoadRequest, _ id: Int64) async -> PeerMessage {
        do throws(LoadError) {
            let response = try await chain.load(request)
            return .response(id, response.head, body: try await response.body.collect(upTo: Self.bodyLimit))
        } catch {
            return .failure(id, mayHaveBeenSent: error.mayHaveBeenSent)
        }
    }
}
