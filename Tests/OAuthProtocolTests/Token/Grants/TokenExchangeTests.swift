import AuthHubPrimitives
import HTTPTypes
import Testing

@testable import OAuthProtocol

struct TokenExchangeTests {
    @Test func `RFC 8693 §2.1: every parameter is sent, audience and resource as often as there are some`() throws {
        let exchange = TokenExchange(
            of: .init(Secret("subject"), .jwt), actor: .init(Secret("actor")), for: .accessToken,
            resources: [try #require(ResourceIndicator("https://api.example"))], audiences: ["a", "b"], scope: ["read"])
        let form = try TokenRequest.tokenExchange(exchange, client: client, at: plainServer).message.form
        #expect(
            form
                == [
                    "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "resource": "https://api.example", "audience": "a",
                    "audience": "b", "scope": "read", "requested_token_type": "urn:ietf:params:oauth:token-type:access_token",
                    "subject_token": "subject", "subject_token_type": "urn:ietf:params:oauth:token-type:jwt", "actor_token": "actor",
                    "actor_token_type": "urn:ietf:params:oauth:token-type:access_token",
                ])
        #expect(!"\(exchange)".contains("subject\""))
    }

    @Test(arguments: [
        ("an empty token", TokenExchange(of: .init(Secret("")))),
        ("an empty actor", TokenExchange(of: .init(Secret("a")), actor: .init(Secret("")))),
        ("a type that is no URI", TokenExchange(of: .init(Secret("a"), TokenTypeURI(rawValue: "access_token")))),
        ("a wish that is no URI", TokenExchange(of: .init(Secret("a")), for: TokenTypeURI(rawValue: "jwt"))),
        ("an empty audience", TokenExchange(of: .init(Secret("a")), audiences: [""])),
    ])
    func `what cannot be exchanged is not sent`(description: String, exchange: TokenExchange) {
        let failure = error { () throws(OAuthError) in try TokenRequest.tokenExchange(exchange, client: client, at: plainServer) }
        #expect(failure?.code == .misuse, "\(description)")
    }

    private static let jwt = "urn:ietf:params:oauth:token-type:jwt"

    private func exchanged(_ body: String) throws(OAuthError) -> TokenExchangeResponse {
        let request = try TokenRequest.tokenExchange(TokenExchange(of: .init(Secret("a"))), client: client, at: plainServer)
        return try TokenExchangeResponse(answer(200), body: bytes(body), to: request, from: plainServer, at: now)
    }

    @Test(arguments: [
        ("TR38 N_A is taken here", #"{"access_token":"x","issued_token_type":"\#(jwt)","token_type":"N_A"}"#, true, nil as TokenType?),
        ("TR38 in any case", #"{"access_token":"x","issued_token_type":"\#(jwt)","token_type":"n_a"}"#, true, nil),
        ("an access token", #"{"access_token":"x","issued_token_type":"\#(jwt)","token_type":"bearer"}"#, true, .bearer),
        ("TR38 no issued_token_type", #"{"access_token":"x","token_type":"Bearer"}"#, false, nil),
        ("TR38 an empty one", #"{"access_token":"x","issued_token_type":"","token_type":"Bearer"}"#, false, nil),
        ("TR38 one that is no text", #"{"access_token":"x","issued_token_type":1,"token_type":"Bearer"}"#, false, nil),
        ("no token_type", #"{"access_token":"x","issued_token_type":"\#(jwt)"}"#, false, nil),
        ("an unknown token_type", #"{"access_token":"x","issued_token_type":"\#(jwt)","token_type":"mac"}"#, false, nil),
        ("no token", #"{"issued_token_type":"\#(jwt)","token_type":"N_A"}"#, false, nil),
    ])
    func `the answer says what was issued`(description: String, body: String, isGood: Bool, type: TokenType?) throws {
        guard isGood else {
            #expect(error { () throws(OAuthError) in try exchanged(body) }?.code == .invalidResponse, "\(description)")
            return
        }
        let response = try exchanged(body)
        #expect(response.issuedToken == Secret("x"), "\(description)")
        #expect(response.issuedTokenType == .jwt)
        #expect(response.tokenType == type)
    }

    @Test func `TR38: N_A is no type of a token anywhere else`() {
        let failure = error { () throws(OAuthError) in
            try tokenResponse(#"{"access_token":"x","issued_token_type":"\#(Self.jwt)","token_type":"N_A"}"#)
        }
        #expect(failure?.code == .invalidResponse)
    }
}
