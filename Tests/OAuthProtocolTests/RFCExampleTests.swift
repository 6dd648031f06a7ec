import AuthHubPrimitives
import HTTPTypes
import Testing

@testable import OAuthProtocol

/// Checks that the code reproduces the examples of the RFCs exactly.
struct RFCExampleTests {
    @Test(.enabled(if: RFCExamples.areHere, RFCExamples.absence))
    func `RQ01: the challenge of RFC 7636 appendix B`() throws {
        let example = try RFCExamples.example("rfc7636-b")
        let verifier = try CodeVerifier(Secret(try #require(example["code_verifier"]?.string)))
        #expect(verifier.challenge == example["code_challenge"]?.string)
    }

    @Test(.enabled(if: RFCExamples.areHere, RFCExamples.absence))
    func `AR34: the form of RFC 6749 appendix B, both ways, in a request and in a callback`() throws {
        let example = try RFCExamples.example("rfc6749-b")
        let text = try #require(example["text"]?.string)
        let encoded = try #require(example["encoded"]?.string)
        #expect(FormParameters.encode(text) == encoded)
        #expect(try FormParameters(decoding: "\(encoded)=\(encoded)").parameters == [.init(name: text, value: text)])
        let request = try authorizationRequest()
        var pending = request.pending
        let state = try #require(try request.query["state"])
        let code = try pending.accept(Secret("\(redirectURI)?code=\(encoded)&state=\(state)"), at: now)
        let exchange = try TokenRequest.exchange(code, client: client, at: plainServer)
        #expect(String(decoding: exchange.message.body.reveal(), as: UTF8.self).contains("&code=\(encoded)&"))
    }

    @Test(.enabled(if: RFCExamples.areHere, RFCExamples.absence))
    func `RQ08: the Basic credentials of RFC 6749 §4.1.3`() throws {
        let example = try RFCExamples.example("rfc6749-4.1.3")
        let client = OAuthClient(
            id: try #require(example["client_id"]?.string), secret: example["client_secret"]?.string.map(Secret.init),
            authentication: .basic)
        let message = try TokenRequest.refresh(Secret("r"), scope: [], client: client, at: plainServer).message
        #expect(message.head.headerFields[.authorization] == example["authorization"]?.string)
    }

    @Test(.enabled(if: RFCExamples.areHere, RFCExamples.absence))
    func `TR10: rejects the bound token of RFC 9449 §5, because the client did not request one`() throws {
        let example = try RFCExamples.example("rfc9449-5-answer")
        let body = String(decoding: try #require(example["body"]).serialized(), as: UTF8.self)
        let failure = error { () throws(OAuthError) in try tokenResponse(body) }
        #expect(failure?.code == .invalidResponse)
        #expect(failure?.explanation.contains("DPoP") == true)
        let bearer = try tokenResponse(body.replacing("\"DPoP\"", with: "\"Bearer\""))
        #expect(bearer.accessToken == example["body"]?["access_token"]?.string.map(Secret.init))
    }
}
