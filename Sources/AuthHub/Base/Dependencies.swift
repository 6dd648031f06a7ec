public import HTTPLoading
public import Logging

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a session uses of its environment: the network, the clock and the logger.
public struct Dependencies: Sendable {
    /// The transport at the end of every chain of the session.
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
    /// The wall clock, because expiry times are stored.
    public var now: @Sendable () -> Date
    /// The logger for requests and for sign-ins of other processes that the session waits for; nil, the default, for none. No secret is
    /// logged.
    public var logger: Logger?
    /// Returns the IP addresses of a host name as strings; empty if it has none. Called before a request to a host that an untrusted
    /// server named, so that no name leads into a private network (RFC 9728 §7.7); the connection is then made to one of these addresses.
    /// If nil, only the names of such hosts are checked.
    package var addresses: (@Sendable (_ host: String) async -> [String])?
    /// Decides which hosts requests to a server's own endpoints may go to; nil for a server that no untrusted server named.
    var hostGuard: HostGuard?
    /// The clock for waiting.
    package var clock = LoadClock.continuous
    /// The pauses before each retry of a write of tokens that must not get lost.
    package var storeRetryPauses: [Duration] = [.milliseconds(100), .milliseconds(400), .seconds(1), .seconds(3)]
    /// The metadata of servers, which is read once for everything that has these dependencies or a copy of them.
    private(set) var metadataCache = MetadataCache()

    /// Creates dependencies with the transport; every other property has a default.
    ///
    /// - Parameters:
    ///   - transport: The network, or a stub for it.
    ///   - logger: The logger; nil for none.
    ///   - now: The wall clock, which is read whenever the expiry of a token is checked.
    public init(transport: any Transport, logger: Logger? = nil, now: @escaping @Sendable () -> Date = { Date() }) {
        self.transport = transport
        self.logger = logger
        self.now = now
    }
}

extension Dependencies {
    /// A chain of loaders in front of the transport, with the log, if there is one, in front of them.
    func chain(_ loaders: [any Loader]) -> Chain {
        Chain(transport: transport, clock: clock, ordered: observed(loaders))
    }

    /// The same loaders for chains that share them.
    func links(_ loaders: [any Loader]) -> ChainLinks {
        ChainLinks(loaders: observed(loaders), transport: transport, clock: clock)
    }

    private func observed(_ loaders: [any Loader]) -> [any Loader] {
        (logger.map { [LogLoader($0)] } ?? []) + loaders
    }
}
