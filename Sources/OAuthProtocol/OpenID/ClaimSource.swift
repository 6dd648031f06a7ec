package import AuthHubPrimitives
package import JOSE
package import Platform

/// A source of claims that the provider names but does not vouch for (OpenID Connect Core 1.0 §5.6.2).
package struct ClaimSource: Sendable {
    package enum Place: Sendable {
        /// The claims are in the provider's message.
        case aggregated(Secret<String>)
        /// The claims have to be fetched, with the source's own access token, if it has one.
        case distributed(endpoint: String, accessToken: Secret<String>?)
    }

    package let place: Place
    /// The claims that the provider says the source has, except those that the provider states itself.
    let names: [String]

    private static let countLimit = 20
    private static let nameLimit = 1000

    /// Reads the sources in the claims of a verified message, in the order of the message.
    ///
    /// - Throws: ``OAuthError`` with `.invalidResponse` if the members are not those of the specification, or if there are too many.
    package static func sources(in claims: JSONObject) throws(OAuthError) -> [ClaimSource] {
        switch (claims["_claim_names"], claims["_claim_sources"]) {
        case (nil, nil): return []
        case (.object(let names), .object(let sources)):
            guard sources.members.count <= countLimit, names.members.count <= nameLimit else {
                throw OAuthError(.invalidResponse, "the claims have more than \(countLimit) sources, or name too many of their claims")
            }
            var found: [ClaimSource] = []
            for source in sources.members {
                guard let members = source.value.object, let place = Place(members) else {
                    throw OAuthError(.invalidResponse, "a source of claims has neither a JWT nor an endpoint")
                }
                let own = names.members.filter { $0.value.string?.hasSameBytes(as: source.name) ?? false }.map(\.name)
                found.append(ClaimSource(place: place, names: own.filter { claims[$0] == nil && !protocolClaims.contains($0) }))
            }
            return found
        default: throw OAuthError(.invalidResponse, "_claim_names and _claim_sources are not two objects")
        }
    }

    /// Claims about a token, not about a user.
    private static let protocolClaims: Set<String> = [
        "iss", "sub", "aud", "exp", "iat", "nbf", "jti", "_claim_names", "_claim_sources",
    ]
}

extension ClaimSource.Place {
    fileprivate init?(_ members: JSONObject) {
        switch (members["JWT"], members["endpoint"], members["access_token"]) {
        case (.string(let text)?, nil, nil): self = .aggregated(Secret(text))
        case (nil, .string(let endpoint)?, nil): self = .distributed(endpoint: endpoint, accessToken: nil)
        // Any other token could break out of the header field.
        case (nil, .string(let endpoint)?, .string(let token)?) where isUsableToken(token):
            self = .distributed(endpoint: endpoint, accessToken: Secret(token))
        default: return nil
        }
    }
}

extension ClaimSource {
    /// Returns the issuer that a token names, which determines the keys that verify the token. Nothing is verified yet.
    package static func unverifiedIssuer(of token: Secret<String>) -> String? {
        let parts = token.reveal().split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64URL.decode(parts[1]) else { return nil }
        return (try? JSONValue(received: bytes, maximumDepth: 8))?["iss"]?.string
    }

    /// Verifies the token with the claims.
    ///
    /// - Parameters:
    ///   - keys: The keys of the trusted issuer.
    ///   - issuer: The profile of the trusted issuer.
    ///   - clientID: The ID of the client that the claims must be for, if they have an audience (RFC 7519 §4.1.3).
    /// - Throws: ``OAuthError`` with `.securityCheckFailed`. If no key fits, it has a `JOSEError` with `.noKey`.
    package func claims(
        in token: Secret<String>, keys: JSONWebKeySet, from issuer: ProviderProfile, for clientID: String, at now: Date
    ) throws(OAuthError) -> ExternalClaims {
        let members: JSONObject
        do throws(JOSEError) {
            let signature = try JSONWebSignature(token)
            try signature.header.checkType(["jwt"], canBeMissing: true)
            members = try signature.verified(by: keys, allowing: issuer.userInfoAlgorithms()).claims
        } catch {
            throw OAuthError(
                .securityCheckFailed, "the token with claims of another issuer was rejected: \(error.explanation)", underlying: error)
        }
        do throws(ClaimProblem) {
            return try claims(ClaimsReader(claims: members), from: issuer, for: clientID, at: now)
        } catch {
            throw OAuthError(.securityCheckFailed, "the token with claims of another issuer was rejected: \(error.explanation)")
        }
    }

    private func claims(
        _ reader: ClaimsReader, from issuer: ProviderProfile, for clientID: String, at now: Date
    ) throws(ClaimProblem) -> ExternalClaims {
        let name = try reader.text("iss")
        guard let expected = issuer.idTokenIssuer else { throw ClaimProblem("the issuer of the provider is unknown") }
        try reader.checkIssuer(is: expected)
        if reader.claims["aud"] != nil { try reader.checkAudience(reader.audience(), contains: clientID) }
        let tolerance = issuer.quirks.identity.clockTolerance
        if try reader.optionalTime("exp") != nil { try reader.checkExpiry(at: now, tolerance: tolerance) }
        try reader.checkTimeOfIssue(at: now, tolerance: tolerance)
        try reader.checkStart(at: now, tolerance: tolerance)
        // The issuer signs other tokens about the user, too.
        if let claim = ["nonce", "at_hash", "events", "azp", "auth_time", "client_id", "scope"].first(where: { reader.claims[$0] != nil }) {
            throw ClaimProblem("it has the claim \(claim) of another kind of token")
        }
        var own = JSONObject()
        for name in names { own[name] = reader.claims[name] }
        let subject = reader.claims["sub"] == nil ? nil : try reader.subject()
        return ExternalClaims(issuer: name, subject: subject, claims: StandardClaim.cleaned(own).claims)
    }
}
