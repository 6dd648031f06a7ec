import AuthHubPrimitives
import Crypto
import DevelopmentServer
import Testing

@Suite struct OpenIDTests {
    @Test func `the published key verifies an ID token, which is bound to request, client and access token`() async throws {
        let clock = SettableClock()
        try await Flow.run(.init(persona: .openID, now: { clock.now })) { flow in
            let answer = try await flow.exchange(try await flow.code(changing: ["nonce": "a nonce"]))
            let parts = (answer.json["id_token"]?.string ?? "").split(separator: ".")
            try #require(parts.count == 3)
            let header = try JSONValue(strict: try #require(Base64URL.decode(parts[0])))
            let claims = try JSONValue(strict: try #require(Base64URL.decode(parts[1])))

            let keySet = try await flow.client.get(flow.server.issuer + "/jwks").json
            let key = try #require(keySet["keys"]?.array?.first)
            #expect(header["alg"] == "ES256" && header["kid"] == key["kid"])
            #expect(key["use"] == "sig" && key["d"] == nil)
            let x = try #require(Base64URL.decode(key["x"]?.string ?? "-"))
            let y = try #require(Base64URL.decode(key["y"]?.string ?? "-"))
            let publicKey = try P256.Signing.PublicKey(rawRepresentation: x + y)
            let signature = try P256.Signing.ECDSASignature(rawRepresentation: try #require(Base64URL.decode(parts[2])))
            #expect(publicKey.isValidSignature(signature, for: Array("\(parts[0]).\(parts[1])".utf8)))

            #expect(claims["iss"]?.string == flow.server.issuer)
            #expect(claims["sub"] == "583231")
            #expect(claims["aud"] == "native-app")
            #expect(claims["nonce"] == "a nonce")
            #expect(claims["iat"] == 1_800_000_000)
            #expect(claims["exp"] == 1_800_003_600)
            #expect(claims["auth_time"] == 1_800_000_000)
            let hash = Base64URL.encode(Array(SHA256.hash(data: Array(Tokens(answer).access.utf8))).prefix(16))
            #expect(claims["at_hash"]?.string == hash)
        }
    }

    @Test func `there is no ID token without the scope openid`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let answer = try await flow.exchange(try await flow.code(scope: "repo"))
            #expect(answer.json["access_token"] != nil)
            #expect(answer.json["id_token"] == nil)
        }
    }

    @Test func `both metadata documents name this issuer and existing endpoints`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let issuer = flow.server.issuer
            for path in ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"] {
                let metadata = try await flow.client.get(issuer + path).json
                #expect(metadata["issuer"]?.string == issuer)
                #expect(metadata["authorization_response_iss_parameter_supported"] == true)
                #expect(metadata["code_challenge_methods_supported"]?.array == ["S256"])
                for member in metadata.object?.members ?? [] where member.name.hasSuffix("_endpoint") || member.name == "jwks_uri" {
                    let address = try #require(member.value.string)
                    #expect(address.hasPrefix(issuer))
                    #expect(try await flow.client.get(address).status != 404, "\(member.name)")
                }
            }
        }
    }

    @Test func `revokes a refresh token with all its descendants, an access token on its own, and accepts an unknown one`()
        async throws
    {
        try await Flow.run(.init(persona: .openID)) { flow in
            func revoke(_ token: String, client: DevelopmentClient? = nil) async throws -> RawClient.Response {
                var form: FormParameters = ["token": token, "client_id": (client ?? flow.server.clients[0]).id]
                form.append("client_secret", ifPresent: client?.secret?.reveal())
                return try await flow.client.post(flow.server.issuer + "/revoke", form: form)
            }
            let tokens = try await flow.tokens()
            #expect(try await revoke(tokens.access, client: flow.server.clients[1]).status == 400)
            #expect(try await flow.status(ofAccessToken: tokens.access) == 200)
            #expect(try await revoke(tokens.access).status == 200)
            #expect(try await flow.status(ofAccessToken: tokens.access) == 401)
            let next = Tokens(try await flow.refresh(tokens.refresh))
            #expect(try await revoke(next.refresh).status == 200)
            #expect(try await flow.status(ofAccessToken: next.access) == 401)
            #expect(try await flow.refresh(next.refresh).json["error"] == "invalid_grant")
            #expect(try await revoke("unknown").status == 200)
            #expect(flow.server.log.revocations == 3)
            #expect(flow.server.log.familiesRevoked == 1)
            let bad = try await flow.client.post(flow.server.issuer + "/revoke", form: ["token": "x", "client_id": "nobody"])
            #expect(bad.status == 401 && bad.json["error"] == "invalid_client")
        }
    }

    @Test func `signing out at the server ends the browser's session and returns with the state`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let person = flow.person()
            let code = try await person.visit(flow.authorizationPath()).redirectParameters["code"] ?? ""
            let idToken = try await flow.exchange(code).json["id_token"]?.string ?? ""
            let query: FormParameters = ["id_token_hint": idToken, "post_logout_redirect_uri": "authhub://callback", "state": "bye"]
            let answer = try await person.open("/logout?" + query.encoded())
            #expect(answer.header("Location") == "authhub://callback?state=bye")
            #expect(try await person.open(flow.authorizationPath()).text.contains("name=\"password\""))
        }
    }

    @Test func `signing out without an ID token hint asks the user first, and never redirects to an unregistered URL`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let person = flow.person()
            _ = try await person.visit(flow.authorizationPath())
            let evil = try await person.open("/logout?client_id=native-app&post_logout_redirect_uri=https%3A%2F%2Fevil.example%2F")
            #expect(evil.status == 400 && evil.header("Location") == nil)
            let page = try await person.open("/logout")
            #expect(page.text.contains("<h1>Sign out?</h1>"))
            #expect(try await person.open(flow.authorizationPath()).redirectParameters["code"] != nil)
            #expect(try await person.submit(page, [:]).text.contains("<h1>Signed out</h1>"))
            #expect(try await person.open(flow.authorizationPath()).text.contains("name=\"password\""))
        }
    }
}
