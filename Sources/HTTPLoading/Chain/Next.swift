/// The rest of a chain behind a loader, and what the loaders in front of it have settled for this load.
public struct Next: Sendable {
    private let ownChain: Chain
    private var index = 0
    /// The epoch of the chain when the load began; what was learned in an older one belongs to nobody any more.
    public let epoch: Epoch
    /// Which attempt this is, from 1.
    public private(set) var attempt = 1
    /// When the load has to have ended, on ``clock``; nil where no loader has set a limit.
    public private(set) var expiry: LoadClock.Instant?

    init(chain: Chain, epoch: Epoch) {
        ownChain = chain
        self.epoch = epoch
    }

    /// What all loaders of the chain measure and wait by.
    public var clock: LoadClock { links.clock }

    /// Tells one chain from another, while both exist.
    var chain: ObjectIdentifier { ObjectIdentifier(ownChain) }

    /// Whom the chain works for, where it is one of many with the same loaders.
    package var owner: (any AnyObject & Sendable)? { ownChain.owner }

    private var links: ChainLinks { ownChain.links }

    /// What ends loads whose time is over.
    var timer: LoadTimer { links.timer }

    /// Loads a request through all that stands behind the loader.
    public func callAsFunction(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        guard index < links.loaders.count else { return try await links.send(request) }
        var rest = self
        rest.index += 1
        return try await links.loaders[index].load(request, next: rest)
    }

    /// Loads a request through all that stands behind the loader, for one that goes on whatever comes of it.
    func outcome(of request: LoadRequest) async -> Result<LoadResponse, LoadError> {
        do throws(LoadError) {
            return .success(try await self(request))
        } catch {
            return .failure(error)
        }
    }

    /// The same for another attempt at the same request.
    public func attempting(_ attempt: Int) -> Next {
        var next = self
        next.attempt = attempt
        return next
    }

    /// The same with a time limit; an earlier one that is set already stands.
    public func expiring(at expiry: LoadClock.Instant) -> Next {
        var next = self
        next.expiry = self.expiry.map { min($0, expiry) } ?? expiry
        return next
    }

    /// The same without a time limit, for work that several loads wait for, each within its own.
    func unlimited() -> Next {
        var next = self
        next.expiry = nil
        return next
    }
}
