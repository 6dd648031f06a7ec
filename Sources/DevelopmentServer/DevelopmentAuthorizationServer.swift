import Logging

/// An authorization server with a protected API, on 127.0.0.1, in memory, in this process, for development, demonstrations and tests.
///
/// Its validation does not share code with the client, so that an error in the client is not repeated in the server. It has pages that work
/// in any browser. All its data is lost when it is shut down.
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
    /// Starts a server; it listens when this returns.
    ///
    /// - Throws: ``DevelopmentServerError`` if the port is not available, or no user could sign in.
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

    /// Stops listening. Requests in progress have a second to finish; then their connections are closed.
    public func shutdown() async {
        faults.releaseHeldRequests()
        await listener.shutdown()
    }

    /// `http://127.0.0.1:PORT`.
    public var issuer: String { state.issuer }
    /// The port on 127.0.0.1, which the system chose if the configuration has 0.
    public var port: Int { listener.port }
    /// The quirks that the server imitates.
    package var persona: Persona { state.persona }
    /// The configured or predefined clients, without those that registered themselves (RFC 7591).
    public var clients: [DevelopmentClient] { state.clients }
    /// The users who can sign in.
    public var users: [DevelopmentUser] { state.configuration.users }
    /// The log of received requests.
    public var log: RequestLog { state.log }
    /// The faults to inject.
    public var faults: Faults { Faults(state: state, orders: faultOrders) }

    /// The URL that the browser opens to sign in (RFC 6749 §3.1).
    package var authorizationEndpoint: String { issuer + persona.addresses.authorization }
    /// The URL that codes and refresh tokens are sent to (RFC 6749 §3.2).
    package var tokenEndpoint: String { issuer + persona.addresses.token }
}

/// Runs a server for the duration of a closure, and shuts it down in any case.
///
/// - Throws: ``DevelopmentServerError`` if the server does not start; rethrows errors of the closure.
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
