import AuthHubPrimitives
import HTTPTypes
import Testing

@testable import OAuthProtocol

/// Tests how the response parsers of all endpoints handle errors.
struct BackChannelErrorTests {
    /// A request with secrets, and the parser for its response.
    struct Endpoint: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let read: @Sendable (HTTPResponse, Secret<[UInt8]>) -> (OAuthError?, secrets: [String])
    }

    private static let server: ProviderProfile = {
        var server = deviceServer
        server.endpoints?.introspection = "https://as.example/introspect"
        server.endpoints?.registration = "https://as.example/register"
        server.endpoints?.pushedAuthorization = "https://as.example/par"
        return server
    }()
    private static let secretClient = OAuthClient(id: "a client", secret: Secret("s3cret of the client/+"))

    private static func endpoint(
        _ description: String, _ secrets: [String], _ read: @escaping @Sendable (HTTPResponse, Secret<[UInt8]>) throws -> Void
    ) -> Endpoint {
        Endpoint(testDescription: description) { head, body in
            do {
                try read(head, body)
                return (nil, secrets)
            } catch {
                return (error as? OAuthError, secrets)
            }
        }
    }

    private static func code(_ pending: PendingAuthorization) throws -> AuthorizationCode {
        var pending = pending
        return try pending.accept(Secret("\(redirectURI)?code=c0de-of-the-sign-in&state=\(pending.state.reveal())"), at: now)
    }

    private static let request = try? authorizationRequest(to: server)
    private static let verifier = request?.pending.verifier.value.reveal() ?? ""
    private static let basic = "YStjbGllbnQ6czNjcmV0K29mK3RoZStjbGllbnQlMkYlMkI="
    private static let clientSecrets = ["s3cret of the client/+", basic, "s3cret+of+the+client%2F%2B"]

    static let endpoints: [Endpoint] = [
        endpoint("the exchange of a code", ["c0de-of-the-sign-in", verifier] + clientSecrets) {
            guard let request else { return }
            let exchange = try TokenRequest.exchange(code(request.pending), client: secretClient, at: server)
            _ = try TokenResponse($0, body: $1, to: exchange, from: server, at: now)
        },
        endpoint("a refresh", ["refresh token/1"] + clientSecrets) {
            let refresh = try TokenRequest.refresh(Secret("refresh token/1"), scope: [], client: secretClient, at: server)
            _ = try TokenResponse($0, body: $1, to: refresh, from: server, at: now)
        },
        endpoint("a refresh with the secret in the body", ["refresh token/1", "s3cret of the client/+"]) {
            let client = OAuthClient(id: "a client", secret: Secret("s3cret of the client/+"), authentication: .post)
            let refresh = try TokenRequest.refresh(Secret("refresh token/1"), scope: [], client: client, at: server)
            _ = try TokenResponse($0, body: $1, to: refresh, from: server, at: now)
        },
        endpoint("the polling of a device", ["d-1-which-is-long"] + clientSecrets) {
            let authorization = try deviceAuthorization(
                body: #"{"device_code":"d-1-which-is-long","user_code":"U","verification_uri":"https://as.example/go","expires_in":9}"#,
                from: server)
            let poll = try TokenRequest.polling(for: authorization, client: secretClient, at: server)
            _ = try TokenResponse($0, body: $1, to: poll, from: server, at: now)
        },
        endpoint("a device's request for a code", clientSecrets) {
            let request = try DeviceAuthorizationRequest(to: server, client: secretClient, scope: [])
            _ = try DeviceAuthorization($0, body: $1, to: request, from: server)
        },
        endpoint("a token exchange", ["subject token+1", "actor token+1"] + clientSecrets) {
            let exchange = TokenExchange(of: .init(Secret("subject token+1")), actor: .init(Secret("actor token+1")))
            let request = try TokenRequest.tokenExchange(exchange, client: secretClient, at: server)
            _ = try TokenExchangeResponse($0, body: $1, to: request, from: server, at: now)
        },
        endpoint("an assertion", ["assertion.of.someone"] + clientSecrets) {
            let grant = try ExtensionGrant(type: "urn:x", parameters: Secret(["assertion": "assertion.of.someone"]))
            let request = try TokenRequest.extensionGrant(grant, client: secretClient, at: server)
            _ = try TokenResponse($0, body: $1, to: request, from: server, at: now)
        },
        endpoint("a revocation", ["token to revoke"] + clientSecrets) {
            let request = try #require(
                try RevocationRequest.revoking(Secret("token to revoke"), client: secretClient, at: server))
            try request.checkResponse($0, body: $1, from: server)
        },
        endpoint("GitHub's revocation", ["token/to revoke", "s3cret of the client/+"]) {
            let request = try #require(
                try RevocationRequest.revoking(Secret("token/to revoke"), client: secretClient, at: .gitHub))
            try request.checkResponse($0, body: $1, from: .gitHub)
        },
        endpoint("an introspection", ["token to look at"] + clientSecrets) {
            let request = try IntrospectionRequest(Secret("token to look at"), client: secretClient, at: server)
            _ = try IntrospectionResponse($0, body: $1, to: request, from: server, at: now)
        },
        endpoint("an introspection by a token", ["token to look at", "token-of-the-asker"]) {
            let request = try IntrospectionRequest(Secret("token to look at"), authorizedBy: Secret("token-of-the-asker"), at: server)
            _ = try IntrospectionResponse($0, body: $1, to: request, from: server, at: now)
        },
        endpoint("a registration", ["initial-access-token", "software.statement.of-ours"]) {
            var metadata = ClientMetadata()
            metadata.redirectURIs = ["https://app.example/cb"]
            metadata.softwareStatement = "software.statement.of-ours"
            let request = try RegistrationRequest.register(metadata, initialAccessToken: Secret("initial-access-token"), at: server)
            _ = try request.accept($0, body: $1, from: server)
        },
        endpoint("a pushed request", [request?.pending.state.reveal() ?? "", request?.pending.verifier.challenge ?? ""] + clientSecrets) {
            guard let request else { return }
            _ = try PushedAuthorizationRequest(request, client: secretClient, at: server).accept($0, body: $1, from: server, at: now)
        },
    ]

    @Test(arguments: [429, 500, 502, 503, 504, 599])
    func `TR48, DV18, PA11, RV04, IN03, RG08: a 429 or 5xx response says nothing about the request, whatever its body says`(status: Int)
        throws
    {
        for endpoint in Self.endpoints {
            for code in ["invalid_grant", "invalid_client", "access_denied", "expired_token", "unauthorized_client", "", "out_of_cheese"] {
                let head = answer(status, headers: [.retryAfter: "7"])
                let body = "{\"error\":\"\(code)\",\"error_description\":\"why\"}"
                let failure = try #require(endpoint.read(head, bytes(body)).0, "\(endpoint.testDescription)")
                let said = try #require(failure.serverError)
                #expect(said.code == ([429, 503].contains(status) ? .temporarilyUnavailable : .serverError), "\(endpoint.testDescription)")
                #expect(said.retryAfter == 7 && said.status == status && said.explanation == "why")
            }
        }
    }

    @Test func `TR48, DV18: keeps authorization_pending and slow_down with status 429`() {
        for (code, expected) in [("authorization_pending", ServerErrorCode.authorizationPending), ("slow_down", .slowDown)] {
            let failure = error { () throws(OAuthError) in
                try tokenResponse("{\"error\":\"\(code)\"}", status: 429, headers: [.retryAfter: "7"])
            }
            #expect(failure?.serverError?.code == expected)
            #expect(failure?.serverError?.retryAfter == 7)
        }
    }

    /// Ways to repeat a string in a response.
    private static let echoes: [@Sendable (String) -> (HTTPResponse, String)] = {
        @Sendable func json(_ text: String) -> String { String(decoding: JSONValue.string(text).serialized(), as: UTF8.self) }
        @Sendable func escaped(_ text: String) -> String {
            text.unicodeScalars.map {
                "\\u" + String(repeating: "0", count: 4 - String($0.value, radix: 16).count) + String($0.value, radix: 16)
            }.joined()
        }
        let forms: [@Sendable (String) -> String] = [
            { $0 }, { FormParameters.encode($0) }, { FormParameters.encode($0, spaces: .percent) }, { json($0) }, { escaped($0) },
        ]
        return forms.flatMap { form -> [@Sendable (String) -> (HTTPResponse, String)] in
            [
                { (answer(400), "{\"error\":\"invalid_request\",\"error_description\":\(json("not " + form($0) + "!"))}") },
                { (answer(400), "{\"error\":\(json(form($0)))}") },
                { (answer(400), "{\"error\":\"x\",\"error_uri\":\(json("https://as.example/?t=" + form($0)))}") },
                { (answer(500), "{\"error\":\"invalid_grant\",\"error_description\":\(json(form($0)))}") },
                { (answer(429), "{\"error\":\(json(form($0)))}") },
                { (answer(500, mediaType: "text/html"), "<h1>\(form($0))</h1>") },
                { (answer(403, mediaType: "text/plain"), form($0)) },
                { (answer(200, mediaType: "text/html"), "<h1>\(form($0))</h1>") },
                { (answer(200), "{\"access_token\":\"a\",\"token_type\":\(json(form($0)))}") },
                { (answer(200), "{\"request_uri\":\(json(form($0)))}") },
                {
                    (
                        answer(400, mediaType: "application/x-www-form-urlencoded"),
                        "error=x&error_description=" + FormParameters.encode(form($0))
                    )
                },
            ]
        } + [
            { (answer(400, mediaType: "text/" + FormParameters.encode($0)), "x") },
            { (answer(302, headers: [.location: "https://" + $0.filter { $0.isLetter || $0.isNumber || $0 == "-" } + ".example/"]), "") },
            { (answer(200), #"{"device_code":"d","user_code":\#(json($0)),"verification_uri":"https://a.example/","expires_in":9}"#) },
            {
                (
                    answer(200),
                    #"{"device_code":"d","user_code":"U","verification_uri":\#(json("https://a.example/" + FormParameters.encode($0))),"expires_in":9}"#
                )
            },
        ]
    }()

    @Test(arguments: endpoints)
    func `ER03: no error shows a secret of the request that the server repeats`(endpoint: Endpoint) throws {
        for echo in Self.echoes {
            for secret in endpoint.read(answer(400), bytes("")).secrets where !secret.isEmpty {
                let (head, body) = echo(secret)
                guard let failure = endpoint.read(head, bytes(body)).0 else { continue }
                var printed = "\(failure) \(failure.serverError?.code.rawValue ?? "") \(failure.serverError?.uri ?? "")"
                dump(failure, to: &printed)
                for form in [secret, FormParameters.encode(secret), FormParameters.encode(secret, spaces: .percent)] {
                    #expect(!printed.lowercased().contains(form.lowercased()), "\(body) \(head.headerFields)")
                }
            }
        }
    }

    @Test(arguments: [
        "access_token", "refresh_token", "id_token", "device_code", "client_secret", "registration_access_token", "token.access",
    ])
    func `ER03: no error shows a secret that the same response issues`(name: String) throws {
        var server = plainServer
        if name == "token.access" { server.quirks.responses.accessToken = "token.access" }
        let secret = "issued-by-this-response"
        let parts = name.split(separator: ".").map(String.init)
        let member = parts.dropFirst().reduce("\"\(secret)\"") { "{\"\($1)\":\($0)}" }
        for (status, told) in [(200, "error"), (200, "error_description"), (400, "error_description"), (400, "error_uri")] {
            var body = "{\"\(parts[0])\":\(member),"
            body += told == "error" ? "" : "\"error\":\"x\","
            body += "\"\(told)\":\"https://as.example/?\(secret)\"}"
            let failure = try #require(error { () throws(OAuthError) in try tokenResponse(body, status: status, from: server) })
            var printed = "\(failure) \(failure.serverError?.code.rawValue ?? "") \(failure.serverError?.uri ?? "")"
            dump(failure, to: &printed)
            #expect(failure.serverError != nil && !printed.contains(secret), "\(body)")
        }
    }

    @Test func `ER03: does not show a token type that repeats the issued token`() throws {
        let failure = error { () throws(OAuthError) in try tokenResponse(#"{"access_token":"issued-token","token_type":"issued-token"}"#) }
        #expect(failure?.code == .invalidResponse && failure?.explanation.contains("issued-token") == false)
    }

    @Test func `ER03: shows values that are not secret`() {
        let failure = error { () throws(OAuthError) in
            try tokenResponse(
                #"{"error":"invalid_scope","error_description":"a client may not have read at https://as.example"}"#, status: 400)
        }
        #expect(failure?.serverError?.explanation == "a client may not have read at https://as.example")
    }

    @Test func `ER03, AR62: a callback's error shows neither the state nor the verifier nor a code next to it`() throws {
        let request = try authorizationRequest(to: openIDServer, scope: ["openid"])
        let state = request.pending.state.reveal()
        let secrets = [
            state, request.pending.verifier.value.reveal(), try #require(request.pending.nonce).reveal(), "c0de-beside-an-error",
        ]
        for secret in secrets {
            var pending = request.pending
            let text = FormParameters.encode("state \(secret), \(FormParameters.encode(secret))")
            let callback =
                "\(redirectURI)?error=\(secret)&error_description=\(text)&error_uri=https://a.example/\(secret)&state=\(state)&code=c0de-beside-an-error"
            let failure = error { () throws(OAuthError) in try pending.accept(Secret(callback), at: now) }
            var printed = "\(failure.map { "\($0)" } ?? "")"
            dump(failure, to: &printed)
            #expect(failure?.serverError != nil && !printed.contains(secret))
        }
    }
}
