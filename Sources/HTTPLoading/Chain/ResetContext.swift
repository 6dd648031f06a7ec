/// What a loader is told of a reset.
public struct ResetContext: Sendable {
    public let reason: ResetReason
    public let phase: ResetPhase
    /// The epoch that begins with this reset.
    public let epoch: Epoch
    private let ownChain: Chain

    init(reason: ResetReason, phase: ResetPhase, epoch: Epoch, chain: Chain) {
        self.reason = reason
        self.phase = phase
        self.epoch = epoch
        ownChain = chain
    }

    /// Tells one chain from another, while both exist.
    package var chain: ObjectIdentifier { ObjectIdentifier(ownChain) }

    /// Whom the chain works for, where it is one of many with the same loaders.
    package var owner: (any AnyObject & Sendable)? { ownChain.owner }

    /// Sends a request past the gate and all loaders, such as one that revokes a token.
    public func sendPrivileged(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        try await ownChain.links.send(request)
    }
}
