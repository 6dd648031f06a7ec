@testable import AuthHubCommand
import AuthHubPrimitives
import JOSE
import Testing

struct TokenInspectionTests {
    private static let plain = Style(isColored: false)

    @Test(arguments: [SignatureAlgorithm.es256, .es384, .es512, .rs256, .ps256, .ed25519])
    func `a token of the issuer for the client is verified`(algorithm: SignatureAlgorithm) async throws {
        let server = try TokenFixture(algorithm)
        let inspection = try server.inspect(try await server.token())
        #expect(inspection.isVerified && inspection.failure == nil)
        #expect(inspection.json["verified"] == true)
        #expect(inspection.json["claims"]?["sub"] == "248289761001")
        #expect(inspection.json["key"]?["kid"] == "k1")
        let text = inspection.text(Self.plain, now: TokenFixture.now)
        #expect(text.hasPrefix("Verified: signed with a key of https://as.example."))
        #expect(!text.contains("not verified"))
    }

    @Test func `without keys, every line says that nothing is verified`() async throws {
        let server = try TokenFixture()
        let inspection = try TokenInspection(try await server.token())
        #expect(inspection.failure?.code == "not_verified" && inspection.failure?.exit == .failed)
        #expect(inspection.json["verified"] == false && inspection.json["rules"] == [])
        let text = inspection.text(Self.plain, now: TokenFixture.now)
        #expect(text.hasPrefix("Not verified:"))
        #expect(text.split(separator: "\n").filter { $0.contains("https://as.example") }.allSatisfy { $0.hasPrefix("  not verified  ") })
        #expect(text.split(separator: "\n").count { $0.hasPrefix("  not verified  ") } == 8)
    }

    @Test func `a signature by another key fails, and no other rule is checked`() async throws {
        let (server, forger) = (try TokenFixture(), try TokenFixture())
        let inspection = try server.inspect(try await forger.token())
        #expect(!inspection.isSigned && !inspection.isVerified)
        #expect(inspection.failure?.exit == .securityCheckFailed)
        let outcomes = inspection.verification?.rules.map(\.outcome) ?? []
        #expect(outcomes.first == .failed && outcomes.dropFirst().allSatisfy { $0 == .notChecked })
        let text = inspection.text(Self.plain, now: TokenFixture.now)
        #expect(text.hasPrefix("Not verified: the signature check failed."))
        #expect(text.contains("  not verified  sub"))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let name: String
        let value: JSONValue
        let status: Int32
    }

    @Test(arguments: [
        Row(testDescription: "another issuer", name: "iss", value: "https://other.example", status: 7),
        Row(testDescription: "another client", name: "aud", value: "other", status: 7),
        Row(testDescription: "several clients and no azp", name: "aud", value: ["other", "app"], status: 7),
        Row(testDescription: "expired", name: "exp", value: 1_700_000_000, status: 1),
        Row(testDescription: "not valid yet", name: "nbf", value: 1_900_000_000, status: 1),
    ])
    func `a signed token that breaks a rule is rejected, and its claims are those of the server`(row: Row) async throws {
        var server = try TokenFixture()
        server.claims[row.name] = row.value
        let inspection = try server.inspect(try await server.token())
        #expect(inspection.isSigned && !inspection.isVerified)
        #expect(inspection.failure?.exit.rawValue == row.status)
        #expect(inspection.json["verified"] == false && inspection.json["signature_valid"] == true)
        #expect(inspection.text(Self.plain, now: TokenFixture.now).hasPrefix("Rejected: "))
    }

    @Test func `rejects another kind of token if an ID token is expected`() async throws {
        let server = try TokenFixture()
        let token = try await server.token(type: "at+jwt")
        let inspection = try server.inspect(token)
        #expect(inspection.isSigned && inspection.failure?.exit == .securityCheckFailed)
        #expect(inspection.failure?.message.contains("typ: it is “at+jwt”") == true)
        #expect(try server.inspect(token, clientID: nil).isVerified)
    }

    @Test(arguments: [
        ("none", "", "the token is not signed"), ("HS256", "c2ln", "needs a shared secret"), ("ES256K", "c2ln", "not allowed"),
    ])
    func `an algorithm without a public key is rejected`(algorithm: String, signature: String, reason: String) throws {
        let server = try TokenFixture()
        let token = TokenFixture.unsigned(["alg": .string(algorithm)], .object(server.claims), signature: signature)
        let inspection = try server.inspect(token)
        #expect(inspection.failure?.exit == .securityCheckFailed)
        #expect(inspection.verification?.rules.first?.reason.contains(reason) == true, "\(inspection.verification?.rules ?? [])")
    }

    @Test func `a claim can neither control the terminal nor write a line of its own`() throws {
        let token = TokenFixture.unsigned(
            ["alg": "ES256"], ["sub": "a\u{1B}[2J\nVerified: signed\r\u{202E}", "\u{1B}[31mname\n": ["x\n": "y\u{7}"]])
        let text = try TokenInspection(token).text(Style(isColored: false), now: TokenFixture.now)
        #expect(text.utf8.allSatisfy { $0 == 0x0A || $0 >= 0x20 })
        #expect(text.split(separator: "\n").count { $0.contains("Verified: signed") } == 1)
        #expect(text.split(separator: "\n").allSatisfy { !$0.hasPrefix("Verified") })
        #expect(text.contains("\\u001b[31mname"))
    }

    @Test(arguments: ["", "a", "a.b", "a.b.c.d", "!.e30.c2ln", "e30.!.c2ln", "W10.e30.c2ln", "e30.W10.c2ln", "e30.eyJhIjoxLCJhIjoxfQ.c2ln"])
    func `text that is not a token is rejected without repeating it`(text: String) throws {
        let failure = #expect(throws: Failure.self) { try TokenInspection(Secret(text)) }
        #expect(failure?.exit == .usage)
        #expect(text.count < 8 || failure?.message.contains(text) == false)
    }

    @Test func `of an encrypted token only the header is shown`() throws {
        let token = Secret("\(Base64URL.encode((["alg": "dir", "enc": "A256GCM"] as JSONValue).serialized())).AA.AA.AA.AA")
        let server = try TokenFixture()
        let inspection = try server.inspect(token)
        #expect(inspection.json["claims"] == .null && inspection.json["verified"] == false)
        #expect(inspection.failure?.message.contains("encrypted") == true)
    }
}
