import AuthHubPrimitives
import Platform
import Testing

@testable import DevelopmentServer

/// The assertions with which clients authenticate (RFC 7523 §3, OpenID Connect Core 1.0 §9).
struct ClientAssertionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var audience = Persona.AssertionRules.Audience.any
        /// Changes the claims, given the issuer.
        var change: @Sendable (inout JSONObject, _ issuer: String) -> Void = { _, _ in }
        var type: JSONValue?
        var key = "development-secret-of-the-web-app"
        /// The problem in the error_description; nil if the assertion is accepted.
        let problem: String?
    }

    @Test(arguments: [
        Row(testDescription: "the issuer", problem: nil),
        Row(testDescription: "the token endpoint", change: { $0["aud"] = .string($1 + "/token") }, problem: nil),
        Row(testDescription: "the issuer in an array", change: { $0["aud"] = [.string($1)] }, problem: nil),
        Row(
            testDescription: "the token endpoint in an array with another server",
            change: { $0["aud"] = ["https://other.example", .string($1 + "/token")] }, problem: nil),
        Row(
            testDescription: "another server", change: { claims, _ in claims["aud"] = "https://other.example" },
            problem: "an aud other than"),
        Row(testDescription: "no audience", change: { claims, _ in claims["aud"] = nil }, problem: "an aud other than"),
        Row(testDescription: "an empty array", change: { claims, _ in claims["aud"] = [] }, problem: "an aud other than"),
        Row(testDescription: "only the issuer", audience: .issuer, problem: nil),
        Row(
            testDescription: "only the issuer, and the token endpoint", audience: .issuer, change: { $0["aud"] = .string($1 + "/token") },
            problem: "other than the string"),
        Row(
            testDescription: "only the issuer, and an array", audience: .issuer, change: { $0["aud"] = [.string($1)] },
            problem: "other than the string"),
        Row(testDescription: "only the token endpoint, and the issuer", audience: .tokenEndpoint, problem: "other than the string"),
        Row(testDescription: "expired", change: { claims, _ in claims["exp"] = 1 }, problem: "has expired"),
        Row(testDescription: "no expiry", change: { claims, _ in claims["exp"] = nil }, problem: "no exp"),
        Row(
            testDescription: "valid for too long", change: { claims, _ in claims["exp"] = 9_999_999_999 },
            problem: "is valid for more than 3600 seconds"),
        Row(testDescription: "no identifier", change: { claims, _ in claims["jti"] = nil }, problem: "has no jti"),
        Row(testDescription: "another issuer", change: { claims, _ in claims["iss"] = "other" }, problem: "an iss that differs"),
        Row(testDescription: "an unknown client", change: { claims, _ in claims["sub"] = "other" }, problem: "not the ID of a client"),
        Row(testDescription: "another type", type: "at+jwt", problem: "a typ that"),
        Row(testDescription: "another key", key: "another secret of the same length", problem: "a signature that none"),
    ])
    func `accepts the issuer and the token endpoint, and says what is wrong with an assertion`(row: Row) async throws {
        try await Flow.run(.init(persona: .openID)) { flow in
            if row.audience != .any {
                let fault = FaultPersona.assertions.first { $0.id == (row.audience == .issuer ? "CA02-issuer" : "CA02-token-endpoint") }
                flow.server.faults.play(try #require(fault))
            }
            let first = try await send(row, "1", to: flow)
            #expect(first.status == (row.problem == nil ? 200 : 401), "\(first.text)")
            guard let problem = row.problem else {
                let again = try await send(row, "1", to: flow)
                #expect(again.json["error_description"]?.string?.contains("was used before") == true, "\(again.text)")
                #expect(try await send(row, "2", to: flow).status == 200)
                return
            }
            let description = first.json["error_description"]?.string ?? ""
            #expect(description.hasPrefix("The client assertion ") && description.contains(problem), "\(description)")
        }
    }

    private func send(_ row: Row, _ identifier: String, to flow: Flow) async throws -> RawClient.Response {
        var header = JSONObject()
        header["alg"] = "HS256"
        header["typ"] = row.type
        var claims = JSONObject()
        for name in ["iss", "sub"] { claims[name] = "web-app" }
        claims["aud"] = .string(flow.server.issuer)
        claims["exp"] = .number(JSONNumber(Int64(Date.now.timeIntervalSince1970) + 60))
        claims["jti"] = .string(identifier)
        row.change(&claims, flow.server.issuer)
        let parts = [header, claims].map { Base64URL.encode(JSONValue.object($0).serialized()) }.joined(separator: ".")
        let signature = Base64URL.encode(TokenSigner.mac(of: Array(parts.utf8), key: Array(row.key.utf8)))
        return try await flow.client.post(
            flow.server.tokenEndpoint,
            form: [
                "grant_type": "client_credentials", "client_assertion": "\(parts).\(signature)",
                "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
            ])
    }
}
