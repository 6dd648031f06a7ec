import AuthHubPrimitives
package import JOSE

extension UserInfo {
    /// The maximum number of claims.
    private static let countLimit = 1000

    /// Checks the content of a UserInfo response.
    ///
    /// - Parameters:
    ///   - person: The verified ID token of the sign-in. If the response is about another user, nothing of it is used (§5.3.2).
    ///   - keys: The server's keys, for a signed response.
    /// - Throws: ``OAuthError``: `.securityCheckFailed` if the response is about another user, or has a signature, issuer or audience that
    ///   is not valid; `.invalidResponse` if it is not a UserInfo response.
    package init(
        _ content: UserInfoContent, of person: IDToken, keys: JSONWebKeySet?, client: OAuthClient, at server: ProviderProfile
    ) throws(OAuthError) {
        let members: JSONObject
        switch content {
        case .claims(let bytes): members = try JSONObject(bytes.reveal(), of: "the UserInfo response")
        case .signed(let text): members = try Self.verified(text, keys: keys, client: client, at: server, issuer: person.issuer)
        }
        guard members.members.count <= Self.countLimit else {
            throw OAuthError(.invalidResponse, "the UserInfo response has more than \(Self.countLimit) claims")
        }
        guard members["error"] == nil else {
            throw OAuthError(.invalidResponse, "the UserInfo response is an error, although its status is 200")
        }
        guard let subject = members["sub"]?.string, !subject.isEmpty else {
            throw OAuthError(.invalidResponse, "the UserInfo response has no sub, or it is not a string")
        }
        guard constantTimeEqual(subject, person.subject) else {
            throw OAuthError(.securityCheckFailed, "the UserInfo response is about a different user than the one who signed in (sub)")
        }
        self.init(subject: subject, members: members)
    }

    private static func verified(
        _ text: Secret<String>, keys: JSONWebKeySet?, client: OAuthClient, at server: ProviderProfile, issuer: String
    ) throws(OAuthError) -> JSONObject {
        let claims: JSONObject
        let keyIssuer: String?
        do throws(JOSEError) {
            let signature = try JSONWebSignature(text)
            try signature.header.checkType(["jwt", "token-userinfo+jwt"], canBeMissing: true)
            let payload = try signature.verified(by: keys ?? JSONWebKeySet([]), allowing: server.userInfoAlgorithms(for: client))
            claims = try payload.claims
            keyIssuer = server.quirks.identity.keysHaveIssuers ? payload.keyIssuer : nil
        } catch {
            throw OAuthError(.securityCheckFailed, "the UserInfo response was rejected: \(error.explanation)", underlying: error)
        }
        let reader = ClaimsReader(claims: claims)
        do throws(ClaimProblem) {
            try reader.checkKey(of: keyIssuer, signing: issuer)
            try reader.checkIssuer(is: issuer)
            try reader.checkAudience(reader.audience(), contains: client.id)
            // The issuer signs other tokens about the user, too.
            if let name = ["nonce", "at_hash", "events"].first(where: { claims[$0] != nil }) {
                throw ClaimProblem("it has the claim \(name) of another kind of token")
            }
        } catch {
            throw OAuthError(.securityCheckFailed, "the UserInfo response was rejected: \(error.explanation)")
        }
        return claims
    }
}
