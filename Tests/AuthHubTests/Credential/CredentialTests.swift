import AuthHubPrimitives
import CredentialStorage
import HTTPTypes
import OAuthProtocol
import Platform
import Testing

@testable import AuthHub

struct CredentialTests {
    @Test(arguments: [(3600, 60.0), (300, 60), (100, 20), (10, 2)])
    func `refreshes a token 60 seconds, or a fifth of its lifetime, before it expires`(lifetime: Int, margin: Double) throws {
        let credential = try Credential.making("a", lifetime: lifetime)
        let refreshAt = start.addingTimeInterval(Double(lifetime) - margin)
        #expect(!credential.isFresh(at: refreshAt))
        #expect(credential.isFresh(at: refreshAt.addingTimeInterval(-0.001)))
    }

    @Test func `a record stores the whole credential`() throws {
        let credential = try Credential.making("a", lifetime: 100, refreshToken: "r", sentAt: start.addingTimeInterval(-7))
        let read = try Credential(record: credential.record)
        #expect(read.accessToken == credential.accessToken)
        #expect(read.refreshToken == credential.refreshToken)
        #expect(read.expiresAt == credential.expiresAt)
        #expect(read.issuedAt == credential.issuedAt)
        #expect(read.sentAt == start.addingTimeInterval(-7))
        #expect(read.scope == credential.scope)
    }

    @Test(arguments: [
        ("nothing", ""), ("not JSON", "x"), ("no token", #"{"format":1,"issued_at":1}"#),
        ("a newer format", #"{"format":3,"access_token":"a","token_type":"Bearer","issued_at":1}"#),
        ("RS11 an empty token", #"{"format":1,"access_token":"","token_type":"Bearer","issued_at":1}"#),
        ("RS11 a token with a line break", #"{"format":1,"access_token":"a\r\nb","token_type":"Bearer","issued_at":1}"#),
        ("an unknown token type", #"{"format":1,"access_token":"a","token_type":"mac","issued_at":1}"#),
    ])
    func `throws for an unreadable record, and the error contains nothing from it`(description: String, record: String) {
        #expect(throws: SessionError.self, "\(description)") { try Credential(record: Secret(Array(record.utf8))) }
    }

    @Test func `describing a credential in use shows neither its token nor the header field that carries it`() throws {
        let credential = try Credential.making("canary", refreshToken: "canary")
        let held = HeldCredential(credential: credential, version: CredentialVersion(bytes: [1]), generation: 1)
        for subject in [credential, held, credential.authorization] as [Any] {
            var dumped = ""
            dump(subject, to: &dumped)
            for text in [dumped, "\(subject)", String(reflecting: subject)] { #expect(!text.contains("canary")) }
        }
        #expect(credential.authorization.reveal() == HTTPField(name: .authorization, value: "Bearer canary"))
        #expect(credential.accessToken == Secret("canary"))
    }

    @Test(arguments: [("r2" as String?, "r2"), (nil, "r1")])
    func `RFC 6749 §6: keeps the old refresh token if a refresh returns no new one`(issued: String?, kept: String) throws {
        let old = try Credential.making("a", refreshToken: "r1")
        let later = start.addingTimeInterval(3600)
        let response = try TokenResponse.making("b", lifetime: 60, refreshToken: issued, issuedAt: later)
        let renewed = Credential(refreshing: old, with: response, issuedAt: later)
        #expect(renewed.refreshToken == Secret(kept))
        #expect(renewed.accessToken == Secret("b"))
        #expect(renewed.expiresAt == later.addingTimeInterval(60))
    }
}
