import AuthHubPrimitives
@testable import OAuthProtocol
import Testing

struct RefreshedIDTokenTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let name: String
        let value: JSONValue?
        var isAccepted = false
    }

    @Test(arguments: [
        Row(testDescription: "ID50: another issuer", name: "iss", value: "https://other.example"),
        Row(testDescription: "ID50: another user", name: "sub", value: "another"),
        Row(testDescription: "ID51: a client is missing", name: "aud", value: "a client"),
        Row(testDescription: "ID51: another azp", name: "azp", value: "b"),
        Row(testDescription: "ID51: no azp", name: "azp", value: nil),
        Row(testDescription: "ID51: another auth_time", name: "auth_time", value: .time(-1)),
        Row(testDescription: "ID51: no auth_time", name: "auth_time", value: nil, isAccepted: true),
        Row(testDescription: "ID51: another nonce", name: "nonce", value: "another"),
        Row(testDescription: "ID51: no nonce", name: "nonce", value: nil, isAccepted: true),
        Row(testDescription: "ID51: an older iat", name: "iat", value: .time(-3600)),
        Row(testDescription: "ID57: at_hash of the old access token", name: "at_hash", value: "77QmUPtjPfzWtF2AnpK9RQ"),
        Row(testDescription: "nothing changed", name: "name", value: "Jane", isAccepted: true),
    ])
    func `a refresh does not change who is signed in`(row: Row) async throws {
        var fixture = try IDTokenFixture()
        fixture.claims["aud"] = ["a client", "b"]
        fixture.claims["azp"] = "a client"
        fixture.claims["auth_time"] = .time(-60)
        let signedIn = try fixture.validate(await fixture.token()).get()
        fixture.claims[row.name] = row.value
        let verdict = try fixture.validate(await fixture.token(), nonce: nil, on: .refresh(of: signedIn))
        switch verdict {
        case .success: #expect(row.isAccepted)
        case .failure(let error): #expect(!row.isAccepted && error.code == .securityCheckFailed, "\(error)")
        }
    }

    @Test(arguments: [
        ("ID37: an empty nonce", JSONValue.string(""), ProviderQuirks.IdentityQuirks.Nonce.mayBeEmpty, true),
        ("ID37: an empty nonce without the quirk", "", .required, false),
        ("ID51: another nonce", "another", .mayBeEmpty, false),
    ])
    func `a nonce may be empty after a refresh if the profile says so`(
        description: String, nonce: JSONValue, quirk: ProviderQuirks.IdentityQuirks.Nonce, isAccepted: Bool
    ) async throws {
        var server = openIDServer
        server.quirks.identity.nonce = quirk
        var fixture = try IDTokenFixture(at: server)
        let signedIn = try fixture.validate(await fixture.token()).get()
        fixture.claims["nonce"] = nonce
        let verdict = try fixture.validate(await fixture.token(), nonce: nil, on: .refresh(of: signedIn))
        #expect(((try? verdict.get()) != nil) == isAccepted)
    }

    @Test func `a sign-in without an ID token gets one at a refresh`() async throws {
        let fixture = try IDTokenFixture()
        await #expect(throws: Never.self) { try fixture.validate(await fixture.token(), nonce: nil, on: .refresh(of: nil)).get() }
    }
}
