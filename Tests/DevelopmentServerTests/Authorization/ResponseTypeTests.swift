import AuthHubPrimitives
import Crypto
import NIOHTTP1
import Testing

@testable import DevelopmentServer

struct ResponseTypeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let type: String
        /// The names of the parameters, besides `iss` and `state`.
        let expected: Set<String>
        /// The hashes in the ID token, by the names of their claims.
        var hashes: Set<String> = []

        var testDescription: String { type }
    }

    private static let rows = [
        Row(type: "code", expected: ["code"]),
        Row(type: "id_token", expected: ["id_token"]),
        Row(type: "id_token token", expected: ["id_token", "access_token", "token_type", "expires_in"], hashes: ["at_hash"]),
        Row(type: "token id_token", expected: ["id_token", "access_token", "token_type", "expires_in"], hashes: ["at_hash"]),
        Row(type: "code id_token", expected: ["code", "id_token"], hashes: ["c_hash", "s_hash"]),
        Row(type: "code token", expected: ["code", "access_token", "token_type", "expires_in"]),
        Row(
            type: "code id_token token", expected: ["code", "id_token", "access_token", "token_type", "expires_in"],
            hashes: ["at_hash", "c_hash", "s_hash"]),
    ]

    @Test(arguments: rows, ["fragment", "form_post"])
    func `returns what was requested, in the requested part of the callback`(row: Row, mode: String) async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let path = flow.authorizationPath(changing: ["response_type": row.type, "response_mode": mode, "nonce": "n"])
            let response = try await flow.callback(path, mode: mode)
            #expect(Set(response.parameters.map(\.name)) == row.expected.union(["state", "iss"]))
            guard let text = response["id_token"] else { return }
            let token = try #require(SignedToken(text))
            let keys = try await flow.client.get(flow.server.issuer + "/jwks").json
            #expect(token.isSigned(byKeyIn: keys))
            #expect(token.claims["nonce"] == "n" && token.claims["sub"] == "583231")
            #expect((token.claims["email"] != nil) == (row.type == "id_token"), "without an access token, there is no userinfo")
            for (name, value) in ["at_hash": "access_token", "c_hash": "code", "s_hash": "state"] {
                let hash = Base64URL.encode(Array(SHA256.hash(data: Array((response[value] ?? "").utf8))).prefix(16))
                #expect(token.claims[name]?.string == (row.hashes.contains(name) ? hash : nil))
            }
        }
    }

    @Test func `the tokens and the code in a callback are valid`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let path = flow.authorizationPath(changing: ["response_type": "code id_token token", "nonce": "n"])
            let response = try await flow.callback(path, mode: "fragment")
            #expect(try await flow.status(ofAccessToken: response["access_token"] ?? "", at: "/userinfo") == 200)
            let answer = try await flow.exchange(response["code"] ?? "")
            #expect(SignedToken(answer.json["id_token"]?.string)?.claims["nonce"] == "n")
            #expect(SignedToken(answer.json["id_token"]?.string)?.claims["c_hash"] == nil)
        }
    }

    struct Rejected: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let changes: [String: String?]
        var error = "invalid_request"
    }

    @Test(arguments: [
        Rejected(testDescription: "no nonce", changes: ["response_type": "code id_token"]),
        Rejected(testDescription: "no openid", changes: ["response_type": "id_token", "nonce": "n", "scope": "profile"]),
        Rejected(testDescription: "in the query", changes: ["response_type": "id_token token", "nonce": "n", "response_mode": "query"]),
        Rejected(testDescription: "only a token", changes: ["response_type": "token"], error: "unsupported_response_type"),
        Rejected(testDescription: "nothing", changes: ["response_type": ""], error: "unsupported_response_type"),
        Rejected(testDescription: "an unknown response type", changes: ["response_type": "code dance"], error: "unsupported_response_type"),
    ])
    func `rejects a request that the specifications do not allow`(row: Rejected) async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let response = try await flow.person().visit(flow.authorizationPath(changing: row.changes))
            #expect(response.redirectParameters["error"] == row.error)
        }
    }

    @Test func `a fault changes the ID token and the parameters of a callback`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            flow.server.faults.always(at: .authorization, .altered([.claim("nonce", "other"), .parameter("state", nil)]))
            for mode in ["fragment", "form_post"] {
                let path = flow.authorizationPath(
                    changing: ["response_type": "code id_token", "nonce": "n", "response_mode": mode])
                let response = try await flow.callback(path, mode: mode)
                #expect(SignedToken(response["id_token"])?.claims["nonce"] == "other")
                #expect(response["code"] != nil && response["state"] == nil)
            }
        }
    }

    struct Registration: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: String
        let status: Int
    }

    @Test(arguments: [
        Registration(
            testDescription: "hybrid", body: #""grant_types": ["authorization_code", "implicit"], "response_types": ["code id_token"]"#,
            status: 201),
        Registration(testDescription: "implicit", body: #""grant_types": ["implicit"], "response_types": ["id_token token"]"#, status: 201),
        Registration(testDescription: "hybrid without its grant", body: #""response_types": ["code id_token"]"#, status: 400),
        Registration(
            testDescription: "an unsupported type", body: #""grant_types": ["implicit"], "response_types": ["token"]"#, status: 400),
    ])
    func `a registration names the response types with their grant types`(row: Registration) async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let answer = try await flow.client.send(
                .POST, flow.server.issuer + "/register", headers: ["Content-Type": "application/json"],
                body: #"{"redirect_uris": ["https://client.example/"], \#(row.body)}"#)
            #expect(answer.status == row.status)
        }
    }
}
