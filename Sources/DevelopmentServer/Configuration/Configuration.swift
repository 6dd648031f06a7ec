public import Logging

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a server is started with. Everything has a default that suits a first try.
public struct DevelopmentServerConfiguration: Sendable {
    public var persona: Persona
    /// The port on 127.0.0.1; 0 lets the system choose a free one.
    public var port: Int
    /// Who can sign in. All see repositories of their own.
    public var users: [DevelopmentUser]
    /// Which clients are registered; nil means the persona's ready-made ones.
    public var clients: [DevelopmentClient]?
    public var lifetimes: Lifetimes
    public var delays: Delays
    /// How many repositories a page has where a request does not say.
    public var pageSize: Int
    /// How many repositories each user has.
    public var repositoryCount: Int
    /// Gets a line a request; nothing is printed without one.
    public var logger: Logger?
    /// The wall clock that lifetimes are measured with.
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
    /// How long what the server gives out is good for. The defaults are those of a GitHub App: 8 hours and 184 days.
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

    /// How long the server takes before it looks at a request.
    public struct Delays: Sendable, Hashable {
        public var tokenEndpoint: Duration

        public init(tokenEndpoint: Duration = .zero) {
            self.tokenEndpoint = tokenEndpoint
        }
    }
}
