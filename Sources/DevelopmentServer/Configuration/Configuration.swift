public import Logging

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The configuration of a server. Every setting has a default that is suitable for a first try.
public struct DevelopmentServerConfiguration: Sendable {
    /// The quirks that the server imitates.
    public var persona: Persona
    /// The port on 127.0.0.1; if 0, the system chooses a free one.
    public var port: Int
    /// The users who can sign in. Each has repositories.
    public var users: [DevelopmentUser]
    /// The registered clients; if nil, the persona's predefined ones.
    public var clients: [DevelopmentClient]?
    /// The lifetimes of the codes and tokens that the server issues.
    public var lifetimes: Lifetimes
    /// The delays that imitate a slow server.
    public var delays: Delays
    /// The number of repositories on a page if a request does not specify it.
    package var pageSize: Int
    /// The number of repositories of each user.
    package var repositoryCount: Int
    /// A logger that gets a line per request; nothing is printed without one.
    public var logger: Logger?
    /// The wall clock for lifetimes.
    public var now: @Sendable () -> Date

    /// Creates a configuration. Only the persona is required.
    public init(
        persona: Persona,
        port: Int = 0,
        users: [DevelopmentUser] = DevelopmentUser.examples,
        clients: [DevelopmentClient]? = nil,
        lifetimes: Lifetimes = Lifetimes(),
        delays: Delays = Delays(),
        pageSize: Int = 30,
        repositoryCount: Int = 57,
        logger: Logger? = nil,
        now: @escaping @Sendable () -> Date = { .now }
    ) {
        self.persona = persona
        self.port = port
        self.users = users
        self.clients = clients
        self.lifetimes = lifetimes
        self.delays = delays
        self.pageSize = pageSize
        self.repositoryCount = repositoryCount
        self.logger = logger
        self.now = now
    }
}

extension DevelopmentServerConfiguration {
    /// The lifetimes of issued codes and tokens. The defaults are those of a GitHub App: 8 hours and 184 days.
    public struct Lifetimes: Sendable, Hashable {
        /// The lifetime of access tokens, unless the persona's tokens never expire; 8 hours by default.
        public var accessToken: Duration
        /// The lifetime of each refresh token; 184 days by default.
        public var refreshToken: Duration
        /// The lifetime of authorization codes; 60 seconds by default.
        public var code: Duration

        /// Creates lifetimes, with the defaults for those that are omitted.
        public init(
            accessToken: Duration = .seconds(28_800),
            refreshToken: Duration = .seconds(15_897_600),
            code: Duration = .seconds(60)
        ) {
            self.accessToken = accessToken
            self.refreshToken = refreshToken
            self.code = code
        }
    }

    /// The delays before the server processes a request.
    public struct Delays: Sendable, Hashable {
        /// The delay of each request to the token endpoint; none by default.
        public var tokenEndpoint: Duration

        /// Creates delays, without any by default.
        public init(tokenEndpoint: Duration = .zero) {
            self.tokenEndpoint = tokenEndpoint
        }
    }
}
