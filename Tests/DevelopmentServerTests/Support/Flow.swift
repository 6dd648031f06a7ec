import AsyncHTTPClient
import AuthHubPrimitives
import DevelopmentServer

typealias Server = DevelopmentAuthorizationServer

/// A server, an HTTP client, and the steps of a sign-in that most tests need.
struct Flow: Sendable {
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    static let redirectURI = "http://127.0.0.1:49152/callback"

    let server: Server
    let client: RawClient

    func person() -> Person { Person(client: client, base: server.issuer) }

    /// Starts a server, runs the body, and shuts down both server and client.
    static func run(_ configuration: DevelopmentServerConfiguration, _ body: (Flow) async throws -> Void) async throws {
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: .init(redirectConfiguration: .disallow))
        do {
            try await withDevelopmentServer(configuration) { server in
                try await body(Flow(server: server, client: RawClient(http: http)))
            }
        } catch {
            try await http.shutdown()
            throw error
        }
        try await http.shutdown()
    }

    /// Returns the path and query of an authorization request; a nil value removes a parameter.
    func authorizationPath(
        client: DevelopmentClient? = nil, scope: String? = "openid profile email", changing changes: [String: String?] = [:]
    ) -> String {
        var parameters: FormParameters = [
            "response_type": "code", "client_id": (client ?? server.clients[0]).id, "redirect_uri": Self.redirectURI, "state": "a state",
            "code_challenge": Self.challenge, "code_challenge_method": "S256",
        ]
        parameters.append("scope", ifPresent: scope)
        for (name, value) in changes.sorted(by: { $0.key < $1.key }) {
            if let value {
                parameters.set(name, to: value)
            } else {
                parameters = FormParameters(parameters.parameters.filter { $0.name != name })
            }
        }
        return server.authorizationEndpoint.dropFirst(server.issuer.count) + "?" + parameters.encoded()
    }

    /// Signs in a new user and returns the code.
    func code(client: DevelopmentClient? = nil, scope: String? = "openid profile email", changing changes: [String: String?] = [:])
        async throws
        -> String
    {
        let response = try await person().visit(authorizationPath(client: client, scope: scope, changing: changes))
        return response.redirectParameters["code"] ?? "none"
    }

    /// Sends a token request with the client credentials in the body.
    func token(_ form: FormParameters, client: DevelopmentClient? = nil, headers: [String: String] = ["Accept": "application/json"])
        async throws -> RawClient.Response
    {
        let registered = client ?? server.clients[0]
        var form = form
        form.append("client_id", registered.id)
        form.append("client_secret", ifPresent: registered.secret?.reveal())
        return try await self.client.post(server.tokenEndpoint, form: form, headers: headers)
    }

    func exchange(
        _ code: String, client: DevelopmentClient? = nil, changing changes: [String: String] = [:],
        headers: [String: String] = ["Accept": "application/json"]
    ) async throws -> RawClient.Response {
        var form: FormParameters = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": Self.redirectURI, "code_verifier": Self.verifier,
        ]
        for (name, value) in changes { form.set(name, to: value) }
        return try await token(form, client: client, headers: headers)
    }

    func refresh(_ refreshToken: String, client: DevelopmentClient? = nil) async throws -> RawClient.Response {
        try await token(["grant_type": "refresh_token", "refresh_token": refreshToken], client: client)
    }

    /// Signs in a new user and obtains tokens.
    func tokens(client: DevelopmentClient? = nil, scope: String? = "openid profile email") async throws -> Tokens {
        Tokens(try await exchange(try await code(client: client, scope: scope), client: client))
    }

    /// The API's status for a token.
    func status(ofAccessToken token: String, at path: String = "/user") async throws -> Int {
        try await client.get(server.issuer + path, headers: .bearer(token)).status
    }
}

struct Tokens {
    let access: String
    let refresh: String

    init(_ response: RawClient.Response) {
        access = response.json["access_token"]?.string ?? "none"
        refresh = response.json["refresh_token"]?.string ?? "none"
    }
}
