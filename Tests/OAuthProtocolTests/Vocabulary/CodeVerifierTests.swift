import AuthHubPrimitives
import Testing

@testable import OAuthProtocol

struct CodeVerifierTests {
    @Test func `RFC 7636 Appendix B: the challenge is the hash of the verifier`() throws {
        let verifier = try CodeVerifier(Secret("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
        #expect(verifier.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test(arguments: [
        String(repeating: "a", count: 42), String(repeating: "a", count: 129), String(repeating: "a", count: 42) + "=",
        String(repeating: "a", count: 42) + "é",
    ])
    func `RQ01: a verifier is 43 to 128 unreserved characters`(text: String) {
        #expect(error { () throws(OAuthError) in try CodeVerifier(Secret(text)) }?.code == .misuse)
    }
}
