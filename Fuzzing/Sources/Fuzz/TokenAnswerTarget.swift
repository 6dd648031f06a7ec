import AuthHubPrimitives
import HTTPTypes
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Responses of token endpoints, as JSON and as forms, read for a server without quirks and for one that responds with forms.
enum TokenAnswerTarget: Target {
    static let name = "token-answer"

    private static let servers: [ProviderProfile] = [SignIn.server(issuer: nil), .gitHub]

    static func check(_ input: [UInt8]) throws(Violation) {
        let answer = Answer(input)
        for server in servers {
            let first = try read(answer, from: server), second = try read(answer, from: server)
            switch (first, second) {
            case (.success(let first), .success(let second)):
                try check(first, answer)
                try require(isSame(first, second), "a response that is parsed twice has the same value")
            case (.failure(let first), .failure(let second)):
                try require(first.everything == second.everything, "a response that is parsed twice fails with the same error")
                try require(
                    !first.everything.contains(Answer.marker)
                        || answer.isSecretShown(in: ["error", "error_description", "error_uri"]),
                    "an error does not contain a token")
            default: throw Violation(sentence: "a response that is parsed twice succeeds or fails both times")
            }
        }
    }

    private static func read(
        _ answer: Answer, from server: ProviderProfile
    ) throws(Violation) -> Result<TokenResponse, OAuthError> {
        let request = outcome { () throws(OAuthError) in
            try TokenRequest.refresh(Secret("old"), scope: ["read"], client: SignIn.client, at: server)
        }
        guard case .success(let request) = request else { throw Violation(sentence: "a request can be created") }
        return outcome { () throws(OAuthError) in
            try TokenResponse(answer.head, body: answer.body, to: request, from: server, at: SignIn.now)
        }
    }

    private static func check(_ response: TokenResponse, _ answer: Answer) throws(Violation) {
        try require(answer.head.status.kind == .successful, "only successful responses contain tokens")
        // RFC 6749 App. A.12, A.17; RFC 6750 §2.1: a refresh token, which is never sent in a header field, may contain spaces.
        for (token, first) in [(response.accessToken, 0x21), (response.refreshToken, 0x20)] {
            guard let token = token?.reveal().utf8 else { continue }
            try require(!token.isEmpty && token.allSatisfy { $0 >= first && $0 < 0x7F }, "a token consists of visible ASCII characters")
        }
        let body = answer.body.reveal()
        let token = Array(response.accessToken.reveal().utf8)
        let isLiteral = !body.contains { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }
        try require(!isLiteral || body.firstRange(of: token) != nil, "the access token is part of the response body")
        for end in [response.expiresAt, response.refreshTokenExpiresAt].compactMap({ $0 }) {
            let seconds = end.timeIntervalSince(SignIn.now)
            try require(seconds >= 0 && seconds <= 2_147_483_648, "a lifetime is 0 to 2³¹ seconds")
        }
        try require(response.scope.names.allSatisfy(Scope.isValid), "the names of a scope are valid")
        try require(Set(response.scope.names).count == response.scope.names.count, "the names of a scope are unique")
        let isScopeMarked = response.scope.description.contains(Answer.marker)
        let printed = "\(response) \(String(reflecting: response))"
        try require(isScopeMarked || !printed.contains(Answer.marker), "a printed response contains no secret")
    }

    private static func isSame(_ left: TokenResponse, _ right: TokenResponse) -> Bool {
        left.accessToken == right.accessToken && left.refreshToken == right.refreshToken && left.tokenType == right.tokenType
            && left.expiresAt == right.expiresAt && left.refreshTokenExpiresAt == right.refreshTokenExpiresAt && left.scope == right.scope
    }
}
