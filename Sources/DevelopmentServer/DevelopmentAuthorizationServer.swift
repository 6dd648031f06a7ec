import Logging

/// An authorization server with a protected API, for development, demonstrations and tests. It runs in this process and listens on
/// 127.0.0.1.
///
/// The server validates requests with its own code and shares none with the client, so that it does not repeat the client's errors. Its
/// pages work in any browser. All data is in memory and is lost when the server shuts down.
public final class DevelopmentAuthorizationServer: Sendable {
    private let listener: Listener
    let state: ServerState
    private let faultOrders: FaultOrders

    private init(listener: Listener, state: ServerState, faultOrders: FaultOrders) {
        self.listener = listener
        self.state = state
        self.faultOrders = faultOrders
    }

    deinit {
        listener.abandon()
    }
}

extension DevelopmentAuthorizationServer {
    /// Starts a server. The server accepts requests when this returns.
    ///
    /// - Throws: ``DevelopmentServerError`` if the port is not available, or if the configuration has no valid users.
    public static func start(_ configuration: DevelopmentServerConfiguration) async throws(DevelopmentServerError)
        -> DevelopmentAuthorizationServer
    {
        guard !configuration.users.isEmpty else { throw .noUsers }
        let state = ServerState(configuration)
        let logger = configuration.logger ?? Logger(label: "authhub.development-server", factory: { _ in SwiftLogNoOpLogHandler() })
        let faultOrders = FaultOrders()
        let handler = RequestHandler(state, faultOrders)
        let listener = try await Listener.start(port: configuration.port, handler: handler, logger: logger)
        state.port = listener.port
        return DevelopmentAuthorizationServer(listener: listener, state: state, faultOrders: faultOrders)
    }

    /// Stops the server. Requests in progress have one second to finish; then their connections are closed.
    public func shutdown() async {
        faults.releaseHeldRequests()
        await listener.shutdown()
    }

    /// The issuer URL of the server: `http://127.0.0.1:PORT`.
    public var issuer: String { state.issuer }
    /// The port on 127.0.0.1. If the configured port is 0, this is the port that the system chose.
    public var port: Int { listener.port }
    /// The quirks that the server imitates.
    package var persona: Persona { state.persona }
    /// The configured or predefined clients. Does not include clients that registered themselves (RFC 7591).
    public var clients: [DevelopmentClient] { state.clients }
    /// The users who can sign in.
    public var users: [DevelopmentUser] { state.configuration.users }
    /// The log of the requests that the server received.
    public var log: RequestLog { state.log }
    /// The faults that the server injects, for tests.
    public var faults: Faults { Faults(state: state, orders: faultOrders) }

    /// The URL that the browser opens to sign in (RFC 6749 §3.1).
    package var authorizationEndpoint: String { issuer + persona.addresses.authorization }
    /// The URL that codes and refresh tokens are sent to (RFC 6749 §3.2).
    package var tokenEndpoint: String { issuer + persona.addresses.token }
}

/// Starts a server, runs a closure with it, and shuts the server down, even if the closure throws.
///
/// - Throws: ``DevelopmentServerError`` if the server does not start; otherwise, the error of the closure.
public func withDevelopmentServer<Value>(
    _ configuration: DevelopmentServerConfiguration,
    _ body: (DevelopmentAuthorizationServer) async throws -> Value
) async throws -> Value {
    let server = try await DevelopmentAuthorizationServer.start(configuration)
    do {
        let value = try await body(server)
        await server.shutdown()
        return value
    } catch {
        await server.shutdown()
        throw error
    }
}
