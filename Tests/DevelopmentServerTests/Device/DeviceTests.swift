import AuthHubPrimitives
import DevelopmentServer
import Testing

@Suite struct DeviceTests {
    static let accept = ["Accept": "application/json"]

    /// Requests a code for a device as the first client of the server.
    private static func authorization(
        _ flow: Flow, scope: String = "openid profile", headers: [String: String] = accept
    ) async throws -> RawClient.Response {
        let client = flow.server.clients[0]
        return try await flow.client.post(
            flow.server.deviceAuthorizationEndpoint ?? "none", form: ["client_id": client.id, "scope": scope], headers: headers)
    }

    private static func poll(
        _ flow: Flow, _ deviceCode: String, headers: [String: String] = accept
    ) async throws -> RawClient.Response {
        try await flow.client.post(
            flow.server.tokenEndpoint,
            form: [
                "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": deviceCode,
                "client_id": flow.server.clients[0].id,
            ], headers: headers)
    }

    /// Opens the page, enters the code as a user would type it, and continues to the last page.
    private static func enter(_ userCode: String, _ flow: Flow, decision: String = "allow") async throws -> RawClient.Response {
        let person = flow.person()
        let path = (flow.server.devicePage ?? "").dropFirst(flow.server.issuer.count)
        var page = try await person.open("\(path)/confirm?" + FormParameters([.init(name: "user_code", value: userCode)]).encoded())
        guard page.text.contains("name=\"password\"") else { return page }
        page = try await person.submit(page, ["username": "octocat", "password": "octocat-password"])
        page = try await person.open(page.header("Location") ?? "")
        #expect(page.text.contains("name=\"decision\""))
        return try await person.submit(page, ["decision": decision])
    }

    @Test func `a device gets its tokens once, after the user has allowed it`() async throws {
        let clock = SettableClock()
        try await Flow.run(.init(persona: .openID, now: { clock.now })) { flow in
            let answer = try await Self.authorization(flow)
            #expect(answer.status == 200)
            #expect(answer.header("Cache-Control") == "no-store")
            let deviceCode = try #require(answer.json["device_code"]?.string)
            let userCode = try #require(answer.json["user_code"]?.string)
            #expect(answer.json["verification_uri"]?.string == flow.server.devicePage)
            #expect(answer.json["verification_uri_complete"]?.string == "\(flow.server.devicePage ?? "")?user_code=\(userCode)")
            #expect(answer.json["expires_in"] == 900)
            #expect(answer.json["interval"] == 5)
            #expect(userCode.count == 9)

            let pending = try await Self.poll(flow, deviceCode)
            #expect(pending.status == 400)
            #expect(pending.json["error"] == "authorization_pending")
            #expect(try await Self.enter(userCode, flow).text.contains("Your device is signed in"))
            clock.advance(by: 5)
            let tokens = try await Self.poll(flow, deviceCode)
            #expect(tokens.status == 200)
            #expect(tokens.json["scope"] == "openid profile")
            let idToken = try #require(SignedToken(tokens.json["id_token"]?.string))
            #expect(idToken.isSigned(byKeyIn: try await flow.client.get(flow.server.issuer + "/jwks").json))
            #expect(idToken.hasHash(of: Tokens(tokens).access) && idToken.claims["sid"] != nil && idToken.claims["nonce"] == nil)
            #expect(try await flow.status(ofAccessToken: Tokens(tokens).access) == 200)
            #expect(try await flow.refresh(Tokens(tokens).refresh).status == 200)
            clock.advance(by: 5)
            #expect(try await Self.poll(flow, deviceCode).json["error"] == "invalid_grant")
        }
    }

    @Test func `tells a device that polls faster than the interval to slow down, by the server's own clock`() async throws {
        let clock = SettableClock()
        try await Flow.run(.init(persona: .openID, now: { clock.now })) { flow in
            let deviceCode = try #require(try await Self.authorization(flow).json["device_code"]?.string)
            #expect(try await Self.poll(flow, deviceCode).json["error"] == "authorization_pending")
            clock.advance(by: 4.9)
            let slower = try await Self.poll(flow, deviceCode)
            #expect(slower.json["error"] == "slow_down")
            #expect(slower.json["interval"] == nil)
            clock.advance(by: 9.9)
            #expect(try await Self.poll(flow, deviceCode).json["error"] == "slow_down")
            clock.advance(by: 15)
            #expect(try await Self.poll(flow, deviceCode).json["error"] == "authorization_pending")
        }
    }

    @Test func `reports a denial and the expiry with the codes of the specification`() async throws {
        let clock = SettableClock()
        try await Flow.run(.init(persona: .openID, now: { clock.now })) { flow in
            let denied = try await Self.authorization(flow).json
            #expect(try await Self.enter(denied["user_code"]?.string ?? "", flow, decision: "cancel").text.contains("Access was denied"))
            #expect(try await Self.poll(flow, denied["device_code"]?.string ?? "").json["error"] == "access_denied")
            let late = try await Self.authorization(flow).json
            clock.advance(by: 900)
            #expect(try await Self.poll(flow, late["device_code"]?.string ?? "").json["error"] == "expired_token")
            #expect(try await Self.enter(late["user_code"]?.string ?? "", flow).text.contains("No device is waiting with this code"))
        }
    }

    struct CodeRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let typed: @Sendable (String) -> String
        var isTaken = true
    }

    @Test(arguments: [
        CodeRow(testDescription: "as shown", typed: { $0 }),
        CodeRow(testDescription: "in lower case", typed: { $0.lowercased() }),
        CodeRow(testDescription: "without the dash", typed: { $0.replacing("-", with: "") }),
        CodeRow(testDescription: "with spaces", typed: { " " + $0.replacing("-", with: " ") + " " }),
        CodeRow(testDescription: "with a missing letter", typed: { String($0.dropLast()) }, isTaken: false),
        CodeRow(testDescription: "nothing", typed: { _ in "" }, isTaken: false),
        CodeRow(testDescription: "a script", typed: { _ in "<script>alert(1)</script>" }, isTaken: false),
    ])
    func `accepts a code as users type it`(row: CodeRow) async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let userCode = try #require(try await Self.authorization(flow).json["user_code"]?.string)
            let page = try await Self.enter(row.typed(userCode), flow)
            #expect(page.text.contains("Your device is signed in") == row.isTaken)
            #expect(!page.text.contains("<script"))
        }
    }

    @Test func `accepts a decision only from this server's page, and once`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let userCode = try #require(try await Self.authorization(flow).json["user_code"]?.string)
            let forged = try await flow.client.post(
                "\(flow.server.devicePage ?? "")/consent?user_code=\(userCode)", form: ["decision": "allow", "form_token": "x"])
            #expect(forged.status == 403)
            _ = try await Self.enter(userCode, flow)
            #expect(try await Self.enter(userCode, flow).status == 400)
        }
    }

    struct RefusedRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let form: FormParameters
        let error: String
    }

    @Test(arguments: [
        RefusedRow(testDescription: "no client", form: [:], error: "invalid_client"),
        RefusedRow(testDescription: "an unknown client", form: ["client_id": "nobody"], error: "invalid_client"),
        RefusedRow(testDescription: "a client that omits its secret", form: ["client_id": "web-app"], error: "invalid_client"),
        RefusedRow(testDescription: "an unknown scope", form: ["client_id": "native-app", "scope": "everything"], error: "invalid_scope"),
        RefusedRow(
            testDescription: "a duplicate parameter",
            form: FormParameters([.init(name: "client_id", value: "a"), .init(name: "client_id", value: "a")]),
            error: "invalid_request"),
    ])
    func `responds to an invalid request with the codes of the specification`(row: RefusedRow) async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let answer = try await flow.client.post(flow.server.deviceAuthorizationEndpoint ?? "", form: row.form)
            #expect(answer.json["error"]?.string == row.error)
        }
    }

    @Test func `rejects another client's code, and the metadata names the endpoint and the grant`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let deviceCode = try #require(try await Self.authorization(flow).json["device_code"]?.string)
            let answer = try await flow.token(
                ["grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": deviceCode], client: flow.server.clients[1])
            #expect(answer.json["error"] == "invalid_grant")
            let metadata = try await flow.client.get(flow.server.issuer + "/.well-known/oauth-authorization-server").json
            #expect(metadata["device_authorization_endpoint"]?.string == flow.server.deviceAuthorizationEndpoint)
            #expect(metadata["grant_types_supported"]?.array?.contains("urn:ietf:params:oauth:grant-type:device_code") == true)
        }
    }

    @Test func `GitHub: forms unless JSON is requested, errors with 200, a new interval, no secret`() async throws {
        let clock = SettableClock()
        try await Flow.run(.init(persona: .gitHub, now: { clock.now })) { flow in
            #expect(flow.server.deviceAuthorizationEndpoint == flow.server.issuer + "/login/device/code")
            let form = try await Self.authorization(flow, headers: [:]).form
            #expect(form["verification_uri"] == flow.server.issuer + "/login/device")
            #expect(form["verification_uri_complete"] == nil)
            #expect(form["expires_in"] == "900")
            #expect(form["interval"] == "5")

            let answer = try await Self.authorization(flow)
            let deviceCode = try #require(answer.json["device_code"]?.string)
            let pending = try await Self.poll(flow, deviceCode)
            #expect(pending.status == 200)
            #expect(pending.json["error"] == "authorization_pending")
            let slower = try await Self.poll(flow, deviceCode)
            #expect(slower.status == 200)
            #expect(slower.json["error"] == "slow_down")
            #expect(slower.json["interval"] == 10)
            #expect(try await Self.poll(flow, "made-up").json["error"] == "incorrect_device_code")

            _ = try await Self.enter(answer.json["user_code"]?.string ?? "", flow)
            clock.advance(by: 10)
            let tokens = try await Self.poll(flow, deviceCode)
            #expect(tokens.json["access_token"]?.string?.hasPrefix("ghu_") == true)
            let renewal: FormParameters = [
                "grant_type": "refresh_token", "refresh_token": Tokens(tokens).refresh, "client_id": flow.server.clients[0].id,
            ]
            #expect(
                try await flow.client.post(flow.server.tokenEndpoint, form: renewal, headers: Self.accept).json["access_token"] != nil)
        }
    }

    @Test func `GitHub: refreshing tokens from a sign-in page needs a secret, and an app must allow the device flow`() async throws {
        var clients = DevelopmentClient.examples(for: .gitHub)
        clients[1].allowsDevices = false
        try await Flow.run(.init(persona: .gitHub, clients: clients)) { flow in
            let tokens = try await flow.tokens()
            let renewal: FormParameters = ["grant_type": "refresh_token", "refresh_token": tokens.refresh, "client_id": clients[0].id]
            #expect(
                try await flow.client.post(flow.server.tokenEndpoint, form: renewal, headers: Self.accept).json["error"]
                    == "incorrect_client_credentials")
            let refused = try await flow.client.post(
                flow.server.deviceAuthorizationEndpoint ?? "", form: ["client_id": clients[1].id], headers: Self.accept)
            #expect(refused.status == 200)
            #expect(refused.json["error"] == "device_flow_disabled")
        }
    }
}
