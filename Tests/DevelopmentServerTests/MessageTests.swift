import AuthHubPrimitives
import DevelopmentServer
import NIOHTTP1
import Testing

/// Tests the endpoints that are not used to sign in, from outside.
struct MessageTests {
    private static let webApp: [String: String] = .basic("web-app", "development-secret-of-the-web-app")

    private static func pushed(_ flow: Flow) async throws -> String {
        let query = flow.authorizationPath().split(separator: "?").last ?? ""
        let answer = try await flow.client.post(flow.server.issuer + "/par", form: try FormParameters(decoding: query))
        #expect(answer.status == 201 && answer.json["expires_in"] == 60)
        return answer.json["request_uri"]?.string ?? ""
    }

    private static func path(_ reference: String, client: String = "native-app") -> String {
        "/authorize?" + (["client_id": client, "request_uri": reference] as FormParameters).encoded()
    }

    @Test func `a pushed request leads to one code, for its own client`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let reference = try await Self.pushed(flow)
            #expect(try await flow.person().open(Self.path(reference, client: "web-app")).status == 400)
            let response = try await flow.person().visit(Self.path(reference))
            #expect(try await flow.exchange(response.redirectParameters["code"] ?? "").status == 200)
            #expect(try await flow.person().open(Self.path(reference)).status == 400)
        }
    }

    @Test func `a server that demands pushed requests accepts no others`() async throws {
        var persona = Persona.openID
        persona.messages.requiresPushedRequests = true
        try await Flow.run(.init(persona: persona)) { flow in
            #expect(try await flow.person().open(flow.authorizationPath()).status == 400)
            _ = try await flow.person().visit(Self.path(try await Self.pushed(flow)))
        }
    }

    @Test(arguments: [
        ("a reference", ["request_uri": "urn:a"] as [String: String], "invalid_request"),
        ("no PKCE", ["code_challenge": ""], "invalid_request"),
        ("an unknown scope", ["scope": "nonsense"], "invalid_scope"),
        ("an unknown resource", ["resource": "https://a.invalid"], "invalid_target"),
        ("unknown details", ["authorization_details": "[{\"type\":\"x\"}]"], "invalid_authorization_details"),
    ])
    func `checks a pushed request at once`(description: String, changes: [String: String], error: String) async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            var form = try FormParameters(decoding: flow.authorizationPath().split(separator: "?").last ?? "")
            for (name, value) in changes { form.set(name, to: value) }
            let answer = try await flow.client.post(flow.server.issuer + "/par", form: form)
            #expect(answer.status == 400 && answer.json["error"] == .string(error), "\(description): \(answer.text)")
        }
    }

    @Test func `a refresh can narrow resources, never widen them, and details are granted without the rejected ones`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let details = #"[{"type":"account_information","actions":["read","delete"]}]"#
            let code = try await flow.code(changing: ["resource": "https://api.example/", "authorization_details": details])
            let answer = try await flow.exchange(code)
            #expect(answer.json["authorization_details"] == [["type": "account_information", "actions": ["read"]]])
            let refresh: FormParameters = [
                "grant_type": "refresh_token", "refresh_token": answer.json["refresh_token"]?.string ?? "",
                "resource": "https://b.example/",
            ]
            #expect(try await flow.token(refresh).json["error"] == "invalid_target")
            let told = try await flow.client.post(
                flow.server.issuer + "/introspect", form: ["token": answer.json["access_token"]?.string ?? ""], headers: Self.webApp)
            #expect(told.json["aud"] == ["https://api.example/"] && told.json["username"] == "octocat")
        }
    }

    @Test func `introspection needs a secret, and reveals nothing about an invalid token`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let address = flow.server.issuer + "/introspect"
            let refused = try await flow.client.post(address, form: ["token": "a", "client_id": "native-app"])
            #expect(refused.status == 401)
            let told = try await flow.client.post(address, form: ["token": "a"], headers: Self.webApp)
            #expect(told.json == ["active": false])
        }
    }

    @Test(arguments: [
        ("no redirect URI", "{}", "invalid_redirect_uri"),
        ("http elsewhere", #"{"redirect_uris":["http://app.example"],"application_type":"native"}"#, "invalid_redirect_uri"),
        (
            "a custom scheme for a web client", #"{"redirect_uris":["com.example.app:/cb"],"application_type":"web"}"#,
            "invalid_redirect_uri"
        ),
        (
            "an unknown authentication method", #"{"redirect_uris":["https://a.example"],"token_endpoint_auth_method":"x"}"#,
            "invalid_client_metadata"
        ),
        ("a statement", #"{"redirect_uris":["https://a.example"],"software_statement":"x"}"#, "unapproved_software_statement"),
    ])
    func `rejects an invalid registration with its error code`(description: String, body: String, error: String) async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let answer = try await flow.client.send(
                .POST, flow.server.issuer + "/register", headers: ["Content-Type": "application/json"], body: body)
            #expect(answer.status == 400 && answer.json["error"] == .string(error), "\(description)")
        }
    }

    @Test func `GitHub supports none of it`() async throws {
        try await Flow.run(.init(persona: .gitHub)) { flow in
            for path in ["/par", "/introspect", "/register"] {
                let answer = try await flow.client.post(flow.server.issuer + path, form: [:])
                #expect(answer.status == 404)
            }
        }
    }
}
