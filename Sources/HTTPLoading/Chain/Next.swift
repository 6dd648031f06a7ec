/// The rest of the chain after a loader, with the attempt number and the time limit that earlier loaders have set for this request.
public struct Next: Sendable {
    private let ownChain: Chain
    private var index = 0
    /// The epoch of the chain when the request started. Anything learned in an older epoch must not be stored.
    public let epoch: Epoch
    /// The number of this attempt, starting with 1.
    public private(set) var attempt = 1
    /// The time when the request times out, on ``clock``; nil if no loader has set a limit.
    public private(set) var expiry: Duration?

    init(chain: Chain, epoch: Epoch) {
        ownChain = chain
        self.epoch = epoch
    }

    /// The clock that all loaders of the chain use.
    public var clock: LoadClock { links.clock }

    /// An identifier that distinguishes chains as long as they exist.
    var chain: ObjectIdentifier { ObjectIdentifier(ownChain) }

    /// The object that the chain works for, if it is one of many chains with the same loaders.
    package var owner: (any AnyObject & Sendable)? { ownChain.owner }

    private var links: ChainLinks { ownChain.links }

    /// The timer that ends requests when their time is over.
    var timer: LoadTimer { links.timer }

    /// Sends a request through the rest of the chain.
    ///
    /// - Throws: ``LoadError`` if there is no response.
    public func callAsFunction(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        guard index < links.loaders.count else { return try await links.send(request) }
        var rest = self
        rest.index += 1
        return try await links.loaders[index].load(request, next: rest)
    }

    /// Sends a request through the rest of the chain, and returns its response or error for a loader that continues in both cases.
    func outcome(of request: LoadRequest) async -> Result<LoadResponse, LoadError> {
        do throws(LoadError) {
            return .success(try await self(request))
        } catch {
            return .failure(error)
        }
    }

    /// Returns the rest of the chain for another attempt at the same request.
    ///
    /// - Parameter attempt: The number of the attempt, starting with 1.
    public func attempting(_ attempt: Int) -> Next {
        var next = self
        next.attempt = attempt
        return next
    }

    /// Returns the rest of the chain with a time limit. An earlier limit that is already set remains.
    package func expiring(at expiry: LoadClock.Instant) -> Next {
        var next = self
        next.expiry = self.expiry.map { min($0, expiry) } ?? expiry
        return next
    }

    /// Returns the rest of the chain without a time limit, for work that several requests wait for, each with its own limit.
    func unlimited() -> Next {
        var next = self
        next.expiry = nil
        return next
    }
}
