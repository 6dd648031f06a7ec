import AuthHubPrimitives
import Platform
import Synchronization

/// The state that all endpoints share.
final class ServerState: Sendable {
    let configuration: DevelopmentServerConfiguration
    let clients: [DevelopmentClient]
    /// The instant to which the times of repositories are relative.
    let startedAt: Date
    let log = RequestLog()
    let grants = Mutex(GrantLedger())
    let sessions = Mutex(SessionBook())
    let devices = Mutex(DeviceLedger())
    let registered = Mutex(RegisteredClients())
    /// The clients whose IDs are the URLs of their metadata documents.
    let documents = Mutex(LimitedTable<String, DevelopmentClient>(limit: 1_000))
    let pushed = Mutex(PushedRequests())
    let keys = Mutex(SigningKeys())
    /// The quirks of OpenID Connect, which tests change while the server runs.
    let openIDConnect: Mutex<Persona.OpenIDQuirks>
    /// The keys of the ``ClaimsProvider``.
    let claimsProviderKeys = Mutex(SigningKeys())
    /// The access tokens for the distributed claims of the ``ClaimsProvider``.
    let claimsTokens = Mutex(LimitedTable<Secret<String>, ClaimsAccess>(limit: 1_000))
    /// The sessions of the resource `/mcp`, for revisions that have some.
    let modelContextSessions = Mutex<Set<String>>([])
    /// The assertions of clients and users that were used (RFC 7523 §3).
    let usedAssertions = Mutex(LimitedTable<String, Bool>(limit: 10_000))
    /// The ID token that is sent repeatedly if a fault requires it.
    let replayedToken = Mutex<String?>(nil)
    private let boundPort: Mutex<Int>

    init(_ configuration: DevelopmentServerConfiguration) {
        self.configuration = configuration
        startedAt = configuration.now()
        boundPort = Mutex(configuration.port)
        openIDConnect = Mutex(configuration.persona.openIDConnect)
        clients = configuration.clients ?? DevelopmentClient.examples(for: configuration.persona)
    }
}

extension ServerState {
    var persona: Persona { configuration.persona }
    var now: Date { configuration.now() }

    /// The port of the configuration, until the system has chosen one if that is 0.
    var port: Int {
        get { boundPort.withLock { $0 } }
        set { boundPort.withLock { $0 = newValue } }
    }

    var issuer: String { "http://127.0.0.1:\(port)" }

    /// The name of the session cookie. Cookies do not distinguish ports: two servers on one machine must not share a name (RFC 6265 §8.5).
    var sessionCookie: String { "authhub-session-\(port)" }

    func user(id: Int) -> DevelopmentUser? {
        configuration.users.first { $0.id == id && id != AuthorizationGrant.nobody }
    }

    /// Returns a client with complete redirect URIs: one that is only a path is a page of this server.
    func client(id: String) -> DevelopmentClient? {
        guard var client = clients.first(where: { $0.id == id }) else {
            return registered.withLock { $0[id]?.client } ?? documents.withLock { $0[id] }
        }
        client.redirectURIs = client.redirectURIs.map { $0.hasPrefix("/") ? issuer + $0 : $0 }
        return client
    }
}

/// The user whose distributed claims an access token is for, and the client that it was issued to.
struct ClaimsAccess: Sendable {
    let userID: Int
    let clientID: String
}
