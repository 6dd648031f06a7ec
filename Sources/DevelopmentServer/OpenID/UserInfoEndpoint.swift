import AuthHubPrimitives
import HTTPTypes
import Synchronization

/// The endpoint that returns claims about the user, as JSON or as a signed token (OpenID Connect Core 1.0 §5.3).
struct UserInfoEndpoint: Sendable {
    let state: ServerState

    func respond(to request: IncomingRequest) -> Answer {
        let quirks = state.openIDConnect.withLock { $0 }
        switch state.authorizeResource(request, token: Self.token(in: request, quirks.userInfoToken), scope: "openid") {
        case .failure(let refusal): return refusal.answer
        case .success(let holder):
            var claims = JSONObject()
            claims["sub"] = .string(String(holder.user.id))
            holder.user.addClaims(to: &claims, scope: holder.scope, issuer: state.issuer)
            guard let client = state.client(id: holder.clientID) else { return Answer.json(.object(claims)).notStored() }
            ClaimsProvider(state: state).addReferences(quirks.otherClaims, to: &claims, of: holder.user, for: client)
            let algorithm = quirks.userInfoAlgorithm(for: client)
            var answer = algorithm.map { signed(claims, by: $0, for: client) } ?? Answer.json(.object(claims)).notStored()
            if let encrypter = state.encrypter(client.userInfoEncryption, for: client) {
                answer.sealBody = { encrypter.token($0, isToken: algorithm != nil) }
            }
            return answer
        }
    }

    /// Returns the access token of a request; a token in the query is never accepted (RFC 6750 §2).
    private static func token(in request: IncomingRequest, _ place: Persona.OpenIDQuirks.UserInfoToken) -> String? {
        let inBody = request.method == .post ? request.form?["access_token"] : nil
        return switch place {
        case .header: request.bearerToken
        case .body: inBody
        case .headerOrBody: request.bearerToken ?? inBody
        }
    }

    private func signed(_ claims: JSONObject, by algorithm: SigningAlgorithm, for client: DevelopmentClient) -> Answer {
        var claims = claims
        claims["iss"] = .string(state.issuer)
        claims["aud"] = .string(client.id)
        guard let token = state.signer(algorithm, for: client)?.token(claims) else {
            return .json(["error": "server_error"], status: .internalServerError)
        }
        return Answer(status: .ok, headers: [.contentType: "application/jwt"], body: Array(token.utf8)).notStored()
    }
}

extension Persona.OpenIDQuirks {
    fileprivate func userInfoAlgorithm(for client: DevelopmentClient) -> SigningAlgorithm? {
        switch userInfo {
        case .registered: client.userInfoAlgorithm
        case .json: nil
        case .signed(let algorithm): algorithm
        }
    }
}
