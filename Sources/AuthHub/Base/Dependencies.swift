public import HTTPLoading
public import Logging

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a session reaches the world by.
public struct Dependencies: Sendable {
    /// The end of every chain of the session.
    public var transport: any Transport {
        didSet { metadataCache = MetadataCache() }
    }
    /// Loaders for the requests to the authorization server itself, such as token requests, outermost first; none by default.
    ///
    /// They may log, measure, delay, respond instead of the server, and change header fields and bodies. They can neither change the URL,
    /// the method or the `Authorization` field, nor send a request twice: the rules that keep tokens safe apply behind them. They do see
    /// codes, tokens and client secrets. No sign-out resets them.
    public var serverLoaders: [any Loader] = [] {
        didSet { metadataCache = MetadataCache() }
    }
    /// The wall clock: expiry is stored.
    public var now: @Sendable () -> Date
    /// Where each load and the sign-ins of others that are waited for are told; silent unless given. Gets no secret.
    public var logger: Logger?
    /// Returns the IP addresses of a host name as strings; empty if it has none. Called before a request to a host that a stranger named,
    /// so that no name leads into a private network (RFC 9728 §7.7); the connection then goes to one of these addresses. If nil, only the
    /// names of such hosts are checked.
    public var addresses: (@Sendable (_ host: String) async -> [String])?
    /// Where requests to a server's own endpoints may go; nil for a server that no stranger named.
    var hostGuard: HostGuard?
    /// What is waited by.
    package var clock = LoadClock.continuous
    /// The pauses before each retry of a write of tokens that must not get lost.
    package var storeRetryPauses: [Duration] = [.milliseconds(100), .milliseconds(400), .seconds(1), .seconds(3)]
    /// Servers' metadata, read once for all that have these dependencies or a copy of them.
    private(set) var metadataCache = MetadataCache()

    /// - Parameters:
    ///   - transport: The network, or what plays it.
    ///   - now: The wall clock, asked whenever a token is judged.
    public init(transport: any Transport, logger: Logger? = nil, now: @escaping @Sendable () -> Date = { Date() }) {
        self.transport = transport
        self.logger = logger
        self.now = now
    }
}

extension Dependencies {
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
