package import AuthHubPrimitives
public import Logging
public import Platform

/// The configuration of a development server. Every setting except the persona has a default that is suitable for a first try.
public struct DevelopmentServerConfiguration: Sendable {
    /// The provider whose quirks the server imitates.
    public var persona: Persona
    /// The port on 127.0.0.1; if 0, the system chooses a free one.
    public var port: Int
    /// The users who can sign in. The API returns repositories for each of them.
    public var users: [DevelopmentUser]
    /// The registered clients; nil for the persona's predefined clients.
    public var clients: [DevelopmentClient]?
    /// The lifetimes of the codes and tokens that the server issues.
    public var lifetimes: Lifetimes
    /// The public keys of the issuers whose assertions the server accepts, besides its own and those of clients.
    package var trustedIssuers: [String: [JSONObject]] = [:]
    /// The delays that imitate a slow server.
    package var delays: Delays
    /// The number of repositories on a page if a request does not specify it.
    package var pageSize: Int
    /// The number of repositories of each user.
    package var repositoryCount: Int
    /// The logger, which gets one line per request. If nil, nothing is logged.
    public var logger: Logger?
    /// Returns the current wall-clock time, which determines when codes and tokens expire.
    public var now: @Sendable () -> Date

    /// Creates a configuration. Every parameter except the persona has a default.
    public init(
        persona: Persona,
        port: Int = 0,
        users: [DevelopmentUser] = DevelopmentUser.examples,
        clients: [DevelopmentClient]? = nil,
        lifetimes: Lifetimes = Lifetimes(),
        logger: Logger? = nil,
        now: @escaping @Sendable () -> Date = { .now }
    ) {
        self.init(
            persona: persona, port: port, users: users, clients: clients, lifetimes: lifetimes, delays: Delays(), logger: logger, now: now)
    }

    package init(
        persona: Persona,
        port: Int = 0,
        users: [DevelopmentUser] = DevelopmentUser.examples,
        clients: [DevelopmentClient]? = nil,
        lifetimes: Lifetimes = Lifetimes(),
        delays: Delays,
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
    /// The lifetimes of the codes and tokens that the server issues. The defaults are those of a GitHub App: 8 hours, 184 days and
    /// 10 minutes.
    public struct Lifetimes: Sendable, Hashable {
        /// The lifetime of access tokens; 8 hours by default. Ignored if the persona's tokens never expire.
        public var accessToken: Duration
        /// The lifetime of each refresh token; 184 days by default.
        public var refreshToken: Duration
        /// The lifetime of authorization codes; 10 minutes by default, the longest that RFC 6749 §4.1.2 recommends.
        public var code: Duration

        /// Creates lifetimes. Parameters that you omit have their defaults.
        public init(
            accessToken: Duration = .seconds(28_800),
            refreshToken: Duration = .seconds(15_897_600),
            code: Duration = .seconds(600)
        ) {
            self.accessToken = accessToken
            self.refreshToken = refreshToken
            self.code = code
        }
    }

    /// The delays before the server processes requests.
    package struct Delays: Sendable, Hashable {
        /// The delay before each request to the token endpoint is processed; none by default.
        package var tokenEndpoint: Duration

        /// Creates delays. Parameters that you omit are zero.
        package init(tokenEndpoint: Duration = .zero) {
            self.tokenEndpoint = tokenEndpoint
        }
    }
}
