/// The context of a reset, which each loader receives.
public struct ResetContext: Sendable {
    /// The reason for the reset, as passed to ``Chain/reset(_:grace:)``.
    public let reason: ResetReason
    /// The phase in progress. Each loader is reset once per phase.
    public let phase: ResetPhase
    /// The epoch that starts with this reset.
    public let epoch: Epoch
    private let ownChain: Chain

    init(reason: ResetReason, phase: ResetPhase, epoch: Epoch, chain: Chain) {
        self.reason = reason
        self.phase = phase
        self.epoch = epoch
        ownChain = chain
    }

    /// An identifier that distinguishes chains as long as they exist.
    package var chain: ObjectIdentifier { ObjectIdentifier(ownChain) }

    /// Sends a request directly to the transport, without any loader. This works even though the chain accepts no requests during a reset,
    /// and can be used to revoke a token, for example.
    ///
    /// - Throws: ``LoadError`` if there is no response.
    public func sendPrivileged(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
        try await ownChain.links.send(request)
    }
}
