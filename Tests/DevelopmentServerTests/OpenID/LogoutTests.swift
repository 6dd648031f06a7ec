import AuthHubPrimitives
import AuthHubTesting
import NIOHTTP1
import Testing

@testable import DevelopmentServer

struct LogoutTests {
    private static func configuration(backChannel: String? = nil, frontChannel: String? = nil) -> DevelopmentServerConfiguration {
        var client = DevelopmentClient(id: "web-app", name: "Web App", redirectURIs: DevelopmentClient.exampleRedirectURIs)
        client.backChannelLogoutURI = backChannel
        client.frontChannelLogoutURI = frontChannel
        client.postLogoutRedirectURIs = ["https://client.example/bye"]
        return .init(persona: .openID, clients: [client])
    }

    /// Signs in, and signs out with an ID token as a hint. Returns the page.
    private static func signOut(at flow: Flow) async throws -> RawClient.Response {
        let person = flow.person()
        let code = try await person.visit(flow.authorizationPath()).redirectParameters["code"] ?? ""
        let hint = try await flow.exchange(code).json["id_token"]?.string ?? ""
        let query: FormParameters = ["id_token_hint": hint, "post_logout_redirect_uri": "https://client.example/bye", "state": "s"]
        return try await person.open("/logout?" + query.encoded())
    }

    @Test func `a client that cannot be reached does not keep the user signed in`() async throws {
        let closed = "http://127.0.0.1:\(try quietPort())/logout"
        for url in [closed, "https://127.0.0.1/logout", "http://client.example/logout", "nowhere"] {
            try await Flow.run(Self.configuration(backChannel: url)) { flow in
                let page = try await Self.signOut(at: flow)
                #expect(page.header("Location") == "https://client.example/bye?state=s")
                #expect(flow.server.log.logoutNotifications == [.init(clientID: "web-app", status: nil, cacheControl: nil)])
            }
        }
    }

    @Test func `posts a logout token, and logs the status and the header field of the response`() async throws {
        try await Flow.run(Self.configuration()) { flow in
            let body = """
                {"redirect_uris": ["\(Flow.redirectURI)"], "backchannel_logout_uri": "\(flow.server.issuer)/userinfo", \
                "post_logout_redirect_uris": ["https://client.example/bye"], "token_endpoint_auth_method": "none"}
                """
            let registered = try await flow.client.send(
                .POST, flow.server.issuer + "/register", headers: ["Content-Type": "application/json"], body: body)
            let client = try #require(flow.server.state.client(id: registered.json["client_id"]?.string ?? ""))
            let person = flow.person()
            _ = try await person.visit(flow.authorizationPath(client: client))
            _ = try await person.submit(try await person.open("/logout"), [:])
            #expect(flow.server.log.logoutNotifications == [.init(clientID: client.id, status: 401, cacheControl: nil)])
            let entry = try #require(flow.server.log.entries.first { $0.formNames == ["logout_token"] })
            #expect(entry.method == "POST" && entry.path == "/userinfo")
        }
    }

    @Test func `the logout page loads the client's page in a frame, and then returns to the client`() async throws {
        try await Flow.run(Self.configuration(frontChannel: "https://client.example/front?a=b")) { flow in
            let page = try await Self.signOut(at: flow)
            #expect(page.status == 200 && page.header("Location") == nil)
            let frame = try #require(page.attribute("src", after: "<iframe"))
            let issuer = FormParameters.encode(flow.server.issuer)
            #expect(frame.hasPrefix("https://client.example/front?a=b&iss=\(issuer)&sid="))
            #expect(page.attribute("content", after: "http-equiv=\"refresh\"") == "2;url=https://client.example/bye?state=s")
            #expect(page.header("Content-Security-Policy")?.hasSuffix("; frame-src https://client.example") ?? false)
        }
    }

    @Test(arguments: ["backchannel_logout_uri", "frontchannel_logout_uri"])
    func `rejects a registration with a relative logout URL`(name: String) async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let body = #"{"redirect_uris": ["https://client.example/"], "\#(name)": "/logout"}"#
            let answer = try await flow.client.send(
                .POST, flow.server.issuer + "/register", headers: ["Content-Type": "application/json"], body: body)
            #expect(answer.status == 400 && answer.json["error"] == "invalid_client_metadata")
        }
    }
}
