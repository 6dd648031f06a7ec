public import HTTPLoading
public import Logging

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a session reaches the world by.
public struct Surroundings: Sendable {
    /// The end of every chain of the session.
    public var transport: any Transport
    /// The wall clock: expiry is stored.
    public var now: @Sendable () -> Date
    /// Where each load and the sign-ins of others that are waited for are told; silent unless given. Gets no secret.
    public var logger: Logger?
    /// What is waited by.
    package var clock = LoadClock.continuous

    /// - Parameters:
    ///   - transport: The network, or what plays it.
    ///   - now: The wall clock, asked whenever a token is judged.
    public init(transport: any Transport, logger: Logger? = nil, now: @escaping @Sendable () -> Date = { Date() }) {
        self.transport = transport
        self.logger = logger
        self.now = now
    }
}

extension Surroundings {
    /// Loaders in front of the transport, and the log, where there is one, in front of all.
    func chain(_ loaders: [any Loader]) -> Chain {
        Chain(transport: transport, clock: clock, ordered: observed(loaders))
    }

    /// The same for chains that share them.
    func links(_ loaders: [any Loader]) -> ChainLinks {
        ChainLinks(loaders: observed(loaders), transport: transport, clock: clock)
    }

    private func observed(_ loaders: [any Loader]) -> [any Loader] {
        (logger.map { [LogLoader($0)] } ?? []) + loaders
    }
}
