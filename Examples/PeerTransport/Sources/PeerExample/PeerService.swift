import AuthHubPrimitives
import HTTPLoading
import Synchronization

/// Loads on behalf of a peer, through a chain of its own, and only from the origins it may.
final class PeerService: Sendable {
    private static let bodyLimit = 1 << 20
    private let chain: Chain
    private let origins: Set<Origin>
    private let loads = Mutex<[Int64: Task<Void, Never>]>([:])

    init(_ chain: Chain, origins: Set<Origin>) {
        self.chain = chain
        self.origins = origins
    }

    /// Serves a peer until its connection ends; what is under way for it is cancelled then.
    func serve(_ link: PeerLink) async {
        for await bytes in link.incoming {
            switch PeerMessage(bytes) {
            case .load(let id, let head, let body):
                // A request the service may not load is none it has sent.
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
