package import AuthHubPrimitives
package import HTTPTypes
package import JOSE

extension UserInfo {
    /// Whether a response is a signed token (OpenID Connect Core 1.0 §5.3.2), so that the server's keys are needed to read it.
    package static func isSigned(_ head: HTTPResponse) -> Bool { mediaType(of: head) == "application/jwt" }

    /// Reads the response of the UserInfo endpoint.
    ///
    /// - Parameters:
    ///   - person: The verified ID token of the sign-in. If the response is about another user, nothing of it is used (§5.3.2).
    ///   - keys: The server's keys, for a signed response.
    /// - Throws: ``OAuthError``: `.securityCheckFailed` if the response is about another user, or has a signature, issuer or audience that
    ///   is not valid; `.invalidResponse` if it is not a UserInfo response.
    package init(
        _ head: HTTPResponse, body: Secret<[UInt8]>, of person: IDToken, keys: JSONWebKeySet?, clientID: String, at server: ProviderProfile
    ) throws(OAuthError) {
        guard head.status == .ok else {
            throw OAuthError(.invalidResponse, "the UserInfo endpoint responded \(head.status.code)")
        }
        let members: JSONObject
        if Self.isSigned(head) {
            members = try Self.verified(body, keys: keys, clientID: clientID, at: server, issuer: person.issuer)
        } else {
            guard !server.quirks.identity.userInfoMustBeSigned else {
                throw OAuthError(
                    .securityCheckFailed, "the UserInfo response is not signed, although the client registered for signed responses")
            }
            guard Self.mediaType(of: head).map({ $0 == "application/json" || $0.hasSuffix("+json") }) ?? false else {
                throw OAuthError(.invalidResponse, "the UserInfo response is neither JSON nor a signed token")
            }
            members = try JSONObject(body.reveal(), of: "the UserInfo response")
        }
        guard let subject = members["sub"]?.string, !subject.isEmpty else {
            throw OAuthError(.invalidResponse, "the UserInfo response has no sub, or it is not a string")
        }
        guard constantTimeEqual(Array(subject.utf8), Array(person.subject.utf8)) else {
            throw OAuthError(.securityCheckFailed, "the UserInfo response is about another user than the one who signed in (sub)")
        }
        self.init(subject: subject, members: members)
    }

    private static func verified(
        _ body: Secret<[UInt8]>, keys: JSONWebKeySet?, clientID: String, at server: ProviderProfile, issuer: String
    ) throws(OAuthError) -> JSONObject {
        let claims: JSONObject
        do throws(JOSEError) {
            let signature = try JSONWebSignature(Secret(String(decoding: body.reveal(), as: UTF8.self)))
            try signature.header.checkType(["jwt", "token-userinfo+jwt"], canBeMissing: true)
            let payload = try signature.verified(by: keys ?? JSONWebKeySet([]), allowing: server.userInfoAlgorithms)
            claims = try payload.claims
        } catch {
            throw OAuthError(.securityCheckFailed, "the UserInfo response was rejected: \(error.explanation)", underlying: error)
        }
        let reader = ClaimsReader(claims: claims)
        do throws(IDTokenProblem) {
            guard try reader.text("iss").hasSameBytes(as: issuer) else { throw IDTokenProblem("its iss is another server") }
            guard try reader.audience().contains(where: { $0.hasSameBytes(as: clientID) }) else {
                throw IDTokenProblem("it is for another client (aud)")
            }
            // The issuer signs other tokens about the user, too.
            if let name = ["nonce", "at_hash", "events"].first(where: { claims[$0] != nil }) {
                throw IDTokenProblem("it has the claim \(name) of another kind of token")
            }
        } catch {
            throw OAuthError(.securityCheckFailed, "the UserInfo response was rejected: \(error.explanation)")
        }
        return claims
    }

    private static func mediaType(of head: HTTPResponse) -> String? {
        head.headerFields[.contentType].map { $0.prefix { $0 != ";" }.lowercased().filter { !$0.isWhitespace } }
    }
}

extension ProviderProfile {
    /// The algorithms that UserInfo responses may be signed with.
    fileprivate var userInfoAlgorithms: Set<SignatureAlgorithm> {
        let names = quirks.identity.algorithms ?? metadata?.userInfoAlgorithms ?? metadata?.idTokenAlgorithms
        guard let names else { return [.rs256] }
        return Set(names.compactMap(SignatureAlgorithm.init(rawValue:)).filter { $0.properties?.scheme != .hmac })
    }
}
