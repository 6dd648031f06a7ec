public import Logging

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The configuration of a server. Every setting has a default that is suitable for a first try.
public struct DevelopmentServerConfiguration: Sendable {
    public var persona: Persona
    /// The port on 127.0.0.1; if 0, the system chooses a free one.
    public var port: Int
    /// The users who can sign in. Each has repositories.
    public var users: [DevelopmentUser]
    /// The registered clients; if nil, the persona's predefined ones.
    public var clients: [DevelopmentClient]?
    public var lifetimes: Lifetimes
    public var delays: Delays
    /// The number of repositories on a page if a request does not specify it.
    public var pageSize: Int
    /// The number of repositories of each user.
    public var repositoryCount: Int
    /// A logger that gets a line per request; nothing is printed without one.
    public var logger: Logger?
    /// The wall clock for lifetimes.
    public var now: @Sendable () -> Date

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
        public var accessToken: Duration
        public var refreshToken: Duration
        public var code: Duration

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
        public var tokenEndpoint: Duration

        public init(tokenEndpoint: Duration = .zero) {
            self.tokenEndpoint = tokenEndpoint
        }
    }
}
