import AuthHubPrimitives
import NIOHTTP1
import Testing

@testable import DevelopmentServer

/// The keys of the server, and who gets tokens by which of them.
@Suite struct SigningTests {
    private static func persona(_ algorithm: SigningAlgorithm) -> Persona {
        var persona = Persona.openID
        persona.openIDConnect.algorithm = algorithm
        return persona
    }

    private static func idToken(_ flow: Flow, client: DevelopmentClient? = nil) async throws -> (token: SignedToken, access: String) {
        let answer = try await flow.exchange(try await flow.code(client: client, changing: ["nonce": "n"]), client: client)
        return (try #require(SignedToken(answer.json["id_token"]?.string)), Tokens(answer).access)
    }

    private static func keys(_ flow: Flow) async throws -> JSONValue {
        try await flow.client.get(flow.server.issuer + "/jwks").json
    }

    @Test(arguments: [SigningAlgorithm.es256, .rs256, .ps256, .edDSA])
    func `signs ID tokens with the default algorithm, and publishes only the key for it`(algorithm: SigningAlgorithm) async throws {
        try await Flow.run(.init(persona: Self.persona(algorithm))) { flow in
            let (token, access) = try await Self.idToken(flow)
            let keys = try await Self.keys(flow)
            #expect(token.header["alg"]?.string == algorithm.rawValue)
            #expect(token.isSigned(byKeyIn: keys))
            #expect(token.hasHash(of: access))
            #expect(keys["keys"]?.array?.map { $0["alg"]?.string } == [algorithm.rawValue])
            #expect(keys["keys"]?.array?.first?["use"] == "sig")
        }
    }

    @Test func `signs with the algorithm that the client registered, and publishes all keys in use`() async throws {
        var clients = DevelopmentClient.examples(for: .openID)
        clients[0].idTokenAlgorithm = .edDSA
        clients[1].idTokenAlgorithm = .hs256
        try await Flow.run(.init(persona: .openID, clients: clients)) { flow in
            let keys = try await Self.keys(flow)
            #expect(keys["keys"]?.array?.map { $0["alg"] } == ["ES256", "EdDSA"])
            let (first, _) = try await Self.idToken(flow)
            #expect(first.header["alg"] == "EdDSA" && first.isSigned(byKeyIn: keys))
            let (second, _) = try await Self.idToken(flow, client: clients[1])
            #expect(second.header["alg"] == "HS256" && second.header["kid"] == nil)
            let secret = Array((clients[1].secret?.reveal() ?? "").utf8)
            #expect(second.signature == TokenSigner.mac(of: second.signed, key: secret))
        }
    }

    @Test func `a client registers its algorithms; the metadata list them`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let issuer = flow.server.issuer
            let metadata = try await flow.client.get(issuer + "/.well-known/openid-configuration").json
            let names = ["ES256", "RS256", "PS256", "EdDSA", "HS256"]
            #expect(metadata["id_token_signing_alg_values_supported"]?.array?.compactMap(\.string) == names)
            #expect(metadata["userinfo_signing_alg_values_supported"]?.array?.compactMap(\.string) == names)
            func register(_ members: String) async throws -> RawClient.Response {
                try await flow.client.send(
                    .POST, issuer + "/register", headers: ["Content-Type": "application/json"],
                    body: #"{"redirect_uris":["\#(Flow.redirectURI)"],\#(members)}"#)
            }
            let answer = try await register(
                #""token_endpoint_auth_method":"client_secret_post","id_token_signed_response_alg":"PS256","userinfo_signed_response_alg":"EdDSA""#
            )
            #expect(answer.status == 201 && answer.json["id_token_signed_response_alg"] == "PS256")
            let client = DevelopmentClient(
                id: answer.json["client_id"]?.string ?? "", secret: (answer.json["client_secret"]?.string).map { Secret($0) }, name: "",
                redirectURIs: [Flow.redirectURI])
            let (token, access) = try await Self.idToken(flow, client: client)
            let keys = try await Self.keys(flow)
            #expect(token.header["alg"] == "PS256" && token.isSigned(byKeyIn: keys))
            let userInfo = SignedToken(try await flow.client.get(issuer + "/userinfo", headers: .bearer(access)).text)
            #expect(userInfo?.header["alg"] == "EdDSA" && userInfo?.isSigned(byKeyIn: keys) == true)

            #expect(try await register(#""id_token_signed_response_alg":"none""#).json["error"] == "invalid_client_metadata")
            let withoutSecret = #""token_endpoint_auth_method":"none","id_token_signed_response_alg":"#
            #expect(try await register(withoutSecret + #""HS256""#).status == 400)
            #expect(try await register(withoutSecret + #""RS256""#).status == 201)
            #expect(try await register(#""token_endpoint_auth_method":"none""#).json["id_token_signed_response_alg"] == "ES256")
        }
    }

    @Test func `rotation adds a key and keeps the old one until it is withdrawn`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let (before, _) = try await Self.idToken(flow)
            flow.server.rotateKeys()
            let both = try await Self.keys(flow)
            let (after, _) = try await Self.idToken(flow)
            #expect(before.header["kid"] != after.header["kid"])
            #expect(before.isSigned(byKeyIn: both) && after.isSigned(byKeyIn: both))
            flow.server.withdrawKeys()
            let rest = try await Self.keys(flow)
            #expect(!before.isSigned(byKeyIn: rest) && after.isSigned(byKeyIn: rest))
            #expect(flow.server.log.keySetRequests == 2)
        }
    }

    struct Rotation: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let rotation: Persona.OpenIDQuirks.KeyRotation
        let keys: Int
        let isVerifiable: Bool
    }

    @Test(arguments: [
        Rotation(testDescription: "never", rotation: .never, keys: 1, isVerifiable: true),
        Rotation(testDescription: "at authorization", rotation: .atAuthorization, keys: 2, isVerifiable: true),
        Rotation(testDescription: "just before signing", rotation: .beforeSigning, keys: 2, isVerifiable: true),
        Rotation(testDescription: "withdrawn after signing", rotation: .afterSigning, keys: 1, isVerifiable: false),
    ])
    func `the server rotates its keys by itself`(row: Rotation) async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            let early = try await Self.keys(flow)
            flow.server.changeOpenIDConnect { $0.keyRotation = row.rotation }
            let (token, _) = try await Self.idToken(flow)
            let keys = try await Self.keys(flow)
            #expect(keys["keys"]?.array?.count == row.keys)
            #expect(token.isSigned(byKeyIn: keys) == row.isVerifiable)
            #expect(token.isSigned(byKeyIn: early) == (row.rotation == .never || row.rotation == .afterSigning))
        }
    }

    @Test func `the keys with flaws sign as if they had none`() throws {
        let bytes = Array("signed".utf8)
        #expect(UnusualKey.smallOrder.members["x"] == .string("AQ" + String(repeating: "A", count: 41)))
        #expect(UnusualKey.smallRSA.members["n"]?.string?.utf8.count == 171)
        // With the exponent 1, the signature is the padded hash.
        let padded = try #require(UnusualKey.exponentOne.signature(of: bytes))
        #expect(padded.count == 256 && padded.prefix(3) == [0, 1, 0xFF])
        #expect(UnusualKey.roca.signature(of: bytes)?.count == 256)
    }
}
