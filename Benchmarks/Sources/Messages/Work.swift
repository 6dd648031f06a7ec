import AuthHubPrimitives
import HTTPTypes
import OAuthProtocol
import Platform

/// A message that is parsed and validated, and the same bytes parsed in the usual way.
struct Work {
    let name: String
    let size: Int
    let limitName: String
    let validated: () throws -> Void
    let limit: () throws -> Void

    static func all() throws -> [Work] {
        [try tokenAnswer(), try callback(), try metadata()]
    }

    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let client = OAuthClient(id: "benchmark", secret: Secret("s3cret"))

    private static func tokenAnswer() throws -> Work {
        struct Answer: Decodable {
            let access_token: String
            let token_type: String
            let expires_in: Int
            let refresh_token: String
            let scope: String
        }
        let (bytes, head, server) = (Array(Texts.tokenAnswer.utf8), Texts.head, Texts.server)
        let data = Data(bytes)
        let request = try TokenRequest.refresh(Secret("old"), scope: ["read"], client: client, at: server)
        return Work(name: "token-answer", size: bytes.count, limitName: "JSONDecoder into a structure") {
            let answer = try TokenResponse(head, body: Secret(bytes), to: request, from: server, at: now)
            try expect(answer.expiresAt != nil)
        } limit: {
            try expect(JSONDecoder().decode(Answer.self, from: data).expires_in > 0)
        }
    }

    private static func callback() throws -> Work {
        let request = try AuthorizationRequest(
            to: Texts.server, client: client, redirectURI: "http://127.0.0.1:49152/callback", scope: ["read"], at: now)
        let query = request.url.split(separator: "?", maxSplits: 1).last ?? ""
        let state = try FormParameters(decoding: query)["state"] ?? ""
        let url = "\(request.pending.redirectURI)?code=\(Texts.code)&state=\(state)&iss=https%3A%2F%2Fas.example"
        return Work(name: "callback", size: url.utf8.count, limitName: "URLComponents with its query items") {
            var pending = request.pending
            _ = try pending.accept(Secret(url), at: now)
        } limit: {
            let items = URLComponents(string: url)?.queryItems ?? []
            try expect(items.first { $0.name == "state" }?.value == state && items.contains { $0.name == "code" })
        }
    }

    private static func metadata() throws -> Work {
        struct Document: Decodable {
            let issuer: String
            let authorization_endpoint: String
            let token_endpoint: String
            let revocation_endpoint: String
            let code_challenge_methods_supported: [String]
        }
        let (bytes, head, issuer) = (Array(Texts.metadata.utf8), Texts.head, try Issuer(Texts.issuer))
        let data = Data(bytes)
        return Work(name: "metadata", size: bytes.count, limitName: "JSONDecoder into a structure") {
            try expect(ServerMetadata(head, body: Secret(bytes), of: issuer).endpoints.token != nil)
        } limit: {
            try expect(!JSONDecoder().decode(Document.self, from: data).issuer.isEmpty)
        }
    }
}

/// Throws if a condition is false. A measurement of a failed operation would be meaningless.
private func expect(_ isTrue: Bool) throws {
    struct Unexpected: Error {}
    guard isTrue else { throw Unexpected() }
}
