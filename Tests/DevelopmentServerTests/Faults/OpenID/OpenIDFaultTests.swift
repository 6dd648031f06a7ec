import AuthHubPrimitives
import Synchronization
import Testing

@testable import DevelopmentServer

/// What each fault in ID tokens, keys and userinfo changes of what a client sees.
struct OpenIDFaultTests {
    /// What a client sees of a server without faults.
    private static let usual = Task { try await observation(of: nil) }

    private static func observation(of persona: FaultPersona?) async throws -> Observation {
        let clock = SettableClock()
        let result = Mutex<Observation?>(nil)
        try await Flow.run(.init(persona: .openID, now: { clock.now })) { flow in
            if let persona { flow.server.faults.play(persona) }
            let observation = try await Observation.make(of: flow)
            result.withLock { $0 = observation }
        }
        return try #require(result.withLock { $0 })
    }

    @Test(arguments: FaultPersona.openID)
    func `alters exactly what it says`(persona: FaultPersona) async throws {
        let changes = try await Self.observation(of: persona).changes(since: try await Self.usual.value)
        #expect(changes == ExpectedChanges.of(persona))
    }

    @Test func `every description says what a client does`() {
        let others = [FaultPersona.encryption, FaultPersona.claims, FaultPersona.discovery, FaultPersona.frontChannel, FaultPersona.logout]
        for persona in FaultPersona.openID + others.joined() {
            #expect(persona.behavior.contains("; a client accepts ") == persona.isHarmless, "\(persona)")
            #expect(persona.behavior.contains("; a client rejects it") != persona.isHarmless, "\(persona)")
        }
        #expect(Set(FaultPersona.openID.map(\.id)).count == FaultPersona.openID.count)
    }

    @Test func `clearing takes back the faults and the quirks of a persona`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            func header() async throws -> JSONObject? {
                SignedToken(try await flow.exchange(try await flow.code()).json["id_token"]?.string)?.header
            }
            flow.server.faults.play(try Self.persona("JK17-zero"))
            flow.server.faults.play(try Self.persona("ID13-eddsa"))
            #expect(try await header()?["alg"] == "EdDSA")
            flow.server.faults.clear()
            #expect(try await header()?["alg"] == "ES256")
            flow.server.changeOpenIDConnect { $0.algorithm = .edDSA }
            flow.server.faults.clear()
            #expect(try await header()?["alg"] == "EdDSA")
        }
    }

    @Test func `ID38: the first ID token is sent again`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            flow.server.faults.play(try Self.persona("ID38-replayed"))
            let first = try await flow.exchange(try await flow.code(changing: ["nonce": "1"])).json["id_token"]
            let second = try await flow.exchange(try await flow.code(changing: ["nonce": "2"])).json["id_token"]
            #expect(first != nil && first == second)
            #expect(SignedToken(second?.string)?.claims["nonce"] == "1")
        }
    }

    @Test func `JK11: the keys are available once`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            flow.server.faults.play(try Self.persona("JK11-busy"))
            #expect(try await flow.client.get(flow.server.issuer + "/jwks").status == 200)
            #expect(try await flow.client.get(flow.server.issuer + "/jwks").status == 503)
            #expect(try await flow.client.get(flow.server.issuer + "/jwks").status == 503)
            #expect(flow.server.log.keySetRequests == 3)
        }
    }

    @Test func `UI03: the first userinfo request gets a 401, and faults there leave the rest of the API alone`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            flow.server.faults.play(try Self.persona("UI03-expired"))
            let token = try await flow.tokens().access
            #expect(try await flow.status(ofAccessToken: token) == 200)
            #expect(try await flow.status(ofAccessToken: token, at: "/userinfo") == 401)
            #expect(try await flow.status(ofAccessToken: token, at: "/userinfo") == 200)
            flow.server.faults.nextAPIResponse(.status(502))
            flow.server.faults.next(at: .userInfo, .status(503))
            #expect(try await flow.status(ofAccessToken: token, at: "/userinfo") == 503)
            #expect(try await flow.status(ofAccessToken: token, at: "/userinfo") == 502)
            #expect(flow.server.log.userInfoRequests == 4)
        }
    }

    @Test func `faults at a refresh leave the exchange of codes alone`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            flow.server.faults.always(at: .tokenEndpoint, .oauthError("invalid_grant"))
            flow.server.faults.next(at: .refresh, .oauthError("invalid_scope"))
            let answers = [try await flow.exchange("code"), try await flow.refresh("token"), try await flow.refresh("token")]
            #expect(answers.map { $0.json["error"] } == ["invalid_grant", "invalid_scope", "invalid_grant"])
        }
    }

    struct Edge: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let changes: [AnswerChange]
    }

    @Test(arguments: [
        Edge(testDescription: "no signature to change", changes: [.empty, .flipped, .truncated, .der, .zeros].map(AnswerChange.signature)),
        Edge(testDescription: "no claims to change", changes: [.payload([]), .inserted("="), .padded].map(AnswerChange.token)),
        Edge(testDescription: "no parts", changes: [.token(.parts(-1))]),
        Edge(testDescription: "claims that are not strings or not there", changes: [.claimSuffix("exp", "1"), .claimArray("none", [])]),
    ])
    func `changes that do not fit the token are harmless`(row: Edge) async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            flow.server.faults.always(at: .tokenEndpoint, .altered(row.changes))
            let answer = try await flow.exchange(try await flow.code())
            #expect(answer.status == 200 && answer.json["id_token"]?.string != nil)
        }
    }

    @Test func `changes of keys that do not fit the set are harmless`() async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            flow.server.faults.always(at: .keySet, .altered([.keySet(.filled(-1)), .keySet(.bytes("n", .flipped)), .claim("a", "b")]))
            let keys = try await flow.client.get(flow.server.issuer + "/jwks").json
            #expect(keys == flow.server.state.keySet)
        }
    }

    private static func persona(_ id: String) throws -> FaultPersona {
        try #require(FaultPersona.openID.first { $0.id == id })
    }
}
