package import AuthHubPrimitives
public import HTTPLoading
public import Logging
public import Platform

/// The parts of its environment that a session uses: the network, the clock and the logger.
public struct Dependencies: Sendable {
    /// The transport that sends the requests of all chains of the session.
    public var transport: any Transport {
        didSet { (metadataCache, keySetCache) = (MetadataCache(), KeySetCache()) }
    }
    /// Loaders for requests to the authorization server itself, such as token requests. The first loader is the outermost. Empty by
    /// default.
    ///
    /// The loaders can log, measure and delay requests, change header fields and bodies, and return their own responses. The loaders see
    /// codes, tokens and client secrets. The loaders cannot change the URL, the method or the `Authorization` field, and cannot send a
    /// request twice, because the rules that protect tokens are enforced after the loaders. Signing out does not reset the loaders.
    public var serverLoaders: [any Loader] = [] {
        didSet { (metadataCache, keySetCache) = (MetadataCache(), KeySetCache()) }
    }
    /// Returns the current wall-clock time, with which stored expiry times are compared.
    public var now: @Sendable () -> Date
    /// The logger for requests, and for waiting until another process has signed in; nil (the default) for none. No secret is logged.
    public var logger: Logger?
    /// Returns the IP addresses of a host name as strings; empty if it has none. Called before a request to a host that an untrusted
    /// server named, so that no name leads into a private network (RFC 9728 §7.7); the connection is then made to one of these addresses.
    /// If nil, only the names of such hosts are checked.
    public var addresses: (@Sendable (_ host: String) async -> [String])?
    /// Whether the transport connects to an origin directly. Behind a proxy, only the proxy may be able to resolve names, so ``addresses``
    /// is not called for the origin, and only its name is checked.
    package var isDirect: @Sendable (_ origin: Origin) -> Bool = { _ in true }
    /// Decides which hosts requests to a server's own endpoints may go to; nil for a server that no untrusted server named.
    var hostGuard: HostGuard?
    /// The clock for waiting.
    package var clock = LoadClock.continuous
    /// The pauses before each retry of a write of tokens that must not get lost.
    package var storeRetryPauses: [Duration] = [.milliseconds(100), .milliseconds(400), .seconds(1), .seconds(3)]
    /// The metadata of servers, which is read once for everything that has these dependencies or a copy of them.
    private(set) var metadataCache = MetadataCache()
    /// The keys of servers, which are shared in the same way.
    private(set) var keySetCache = KeySetCache()

    /// Creates dependencies. Properties that are not parameters have their defaults.
    ///
    /// - Parameters:
    ///   - transport: The transport, or a stub for tests.
    ///   - logger: The logger; nil for none.
    ///   - now: Returns the current wall-clock time. Called whenever the expiry of a token is checked.
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

    /// The same loaders, for chains that share them.
    func links(_ loaders: [any Loader]) -> ChainLinks {
        ChainLinks(loaders: observed(loaders), transport: transport, clock: clock)
    }

    private func observed(_ loaders: [any Loader]) -> [any Loader] {
        (logger.map { [LogLoader($0)] } ?? []) + loaders
    }
}
