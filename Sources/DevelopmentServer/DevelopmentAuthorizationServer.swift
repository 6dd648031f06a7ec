import Logging

/// An authorization server and the API it protects, on 127.0.0.1, in memory, in this process: for development, demonstrations and tests.
///
/// It judges by rules of its own, not the client's, so that a mistake in the client is not made twice. It has pages that a person can
/// use with any browser. All it knows is gone when it is shut down.
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
    public typealias Configuration = DevelopmentServerConfiguration
    public typealias Lifetimes = DevelopmentServerConfiguration.Lifetimes
    public typealias Delays = DevelopmentServerConfiguration.Delays
    public typealias Client = DevelopmentClient
    public typealias User = DevelopmentUser
    public typealias Persona = DevelopmentServer.Persona
}

extension DevelopmentAuthorizationServer {
    /// Starts a server; it listens when this returns.
    ///
    /// - Throws: ``DevelopmentServerError`` where the port cannot be had or there is nobody who could sign in.
    public static func start(_ configuration: Configuration) async throws(DevelopmentServerError) -> DevelopmentAuthorizationServer {
        guard !configuration.users.isEmpty else { throw .noUsers }
        let state = ServerState(configuration)
        let logger = configuration.logger ?? Logger(label: "authhub.development-server", factory: { _ in SwiftLogNoOpLogHandler() })
        let faultOrders = FaultOrders()
        let handler = RequestHandler(state, faultOrders)
        let listener = try await Listener.start(port: configuration.port, handler: handler, logger: logger)
        state.port = listener.port
        return DevelopmentAuthorizationServer(listener: listener, state: state, faultOrders: faultOrders)
    }

    /// Stops listening. Requests that are being answered have a second to end; connections are closed.
    public func shutdown() async {
        faults.releaseHeldRequests()
        await listener.shutdown()
    }

    /// `http://127.0.0.1:PORT`.
    public var issuer: String { state.issuer }
    public var port: Int { listener.port }
    public var persona: Persona { state.persona }
    public var clients: [Client] { state.clients }
    public var users: [User] { state.configuration.users }
    /// What has arrived here.
    public var log: RequestLog { state.log }
    /// What shall go wrong.
    public var faults: Faults { Faults(state: state, orders: faultOrders) }

    public var authorizationEndpoint: String { issuer + persona.addresses.authorization }
    public var tokenEndpoint: String { issuer + persona.addresses.token }
}

/// Runs a server for as long as the body takes, and shuts it down whatever comes of it.
///
/// - Throws: ``DevelopmentServerError`` where it does not start, and what the body throws.
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
