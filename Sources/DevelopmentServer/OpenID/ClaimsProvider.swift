import AuthHubPrimitives
import HTTPTypes
import Platform
import Synchronization

/// Another provider, with claims about the same users and with its own issuer and keys (OpenID Connect Core 1.0 §5.6.2).
struct ClaimsProvider: Sendable {
    static let path = "/claims-provider"

    let state: ServerState

    var issuer: String { state.issuer + Self.path }

    var metadata: JSONValue {
        ["issuer": .string(issuer), "jwks_uri": .string(issuer + "/jwks"), "id_token_signing_alg_values_supported": ["ES256"]]
    }

    var keySet: JSONValue {
        state.claimsProviderKeys.withLock { keys in
            _ = keys.key(for: .es256)
            return keys.published
        }
    }

    /// Adds references to claims, and for aggregated claims the claims themselves.
    func addReferences(
        _ kinds: Set<Persona.OpenIDQuirks.OtherClaims>, to claims: inout JSONObject, of user: DevelopmentUser,
        for client: DevelopmentClient
    ) {
        guard !kinds.isEmpty else { return }
        var names = JSONObject()
        var sources = JSONObject()
        if kinds.contains(.aggregated), let token = token(Self.aggregated, about: user.id, for: client.id) {
            for member in Self.aggregated.members { names[member.name] = "aggregated" }
            sources["aggregated"] = ["JWT": .string(token)]
        }
        if kinds.contains(.distributed) {
            for member in Self.distributed.members { names[member.name] = "distributed" }
            let accessToken = Base64URL.encode(randomBytes(count: 24))
            state.claimsTokens.withLock { $0[Secret(accessToken)] = ClaimsAccess(userID: user.id, clientID: client.id) }
            sources["distributed"] = ["endpoint": .string(issuer + "/claims"), "access_token": .string(accessToken)]
        }
        claims["_claim_names"] = .object(names)
        claims["_claim_sources"] = .object(sources)
    }

    /// Returns distributed claims if the request has the access token for them.
    func respond(to request: IncomingRequest) -> Answer {
        guard let token = request.bearerToken, let claims = state.claimsTokens.withLock({ $0[Secret(token)] }),
            let text = self.token(Self.distributed, about: claims.userID, for: claims.clientID)
        else {
            var answer = Answer.json(["error": "invalid_token"], status: .unauthorized)
            answer.headers[.wwwAuthenticate] = "Bearer error=\"invalid_token\""
            return answer.notStored()
        }
        return Answer(status: .ok, headers: [.contentType: "application/jwt"], body: Array(text.utf8)).notStored()
    }

    private func token(_ content: JSONObject, about userID: Int, for clientID: String) -> String? {
        let now = Int64(state.now.timeIntervalSince1970)
        var claims = content
        claims["iss"] = .string(issuer)
        claims["sub"] = .string(String(userID))
        claims["aud"] = .string(clientID)
        claims["iat"] = .number(JSONNumber(now))
        claims["exp"] = .number(JSONNumber(now + 3600))
        return state.claimsProviderKeys.withLock { $0.key(for: .es256) }.flatMap { TokenSigner.key($0).token(claims) }
    }

    private static let aggregated = {
        var claims = JSONObject()
        claims["address"] = ["locality": "San Francisco", "country": "US"]
        claims["phone_number"] = "+1 555 0100"
        return claims
    }()

    private static let distributed = {
        var claims = JSONObject()
        claims["credit_score"] = 650
        return claims
    }()
}
