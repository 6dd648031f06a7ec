package import AuthHubPrimitives
package import JOSE
package import Platform

extension IDTokenExpectation {
    /// When an ID token arrives.
    package enum Occasion: Sendable {
        case signIn
        /// Refreshing the tokens of a sign-in, whose ID token is nil if it had none.
        case refresh(of: IDToken?)

        package var isRefresh: Bool { if case .refresh = self { true } else { false } }
    }

    /// Decrypts and verifies the ID token of a token response.
    ///
    /// - Parameters:
    ///   - keys: The server's keys, or the client secret for a symmetric algorithm.
    ///   - accessToken: The access token in the same message, whose hash the ID token may contain (`at_hash`).
    ///   - occasion: After a refresh, the ID token is compared with that of the sign-in (OpenID Connect Core 1.0 §12.2).
    /// - Throws: ``OAuthError`` with `.securityCheckFailed`. If no key fits, it has a `JOSEError` with `.noKey`: the keys may be out of
    ///   date.
    package func validate(
        _ text: Secret<String>, keys: JSONWebKeySet, accessToken: Secret<String>?, on occasion: Occasion, at now: Date
    ) throws(OAuthError) -> IDToken {
        let claims: JSONObject
        let algorithm: SignatureAlgorithm
        let keyIssuer: String?
        // The session stores the signed token inside, which is also the hint for a logout (RP-Initiated Logout 1.0 §4).
        let text = try client.opened(text, as: client.registered.idTokenEncryption, called: "the ID token", at: now)
        do throws(JOSEError) {
            let signature = try JSONWebSignature(text, for: keys)
            // RFC 8725 §3.11: another kind of token, such as a log-out token or an access token, is not an ID token.
            try signature.header.checkType(["jwt"], canBeMissing: true)
            let payload = try signature.verified(by: keys, allowing: algorithms, triesAllFittingKeys: quirks.triesAllFittingKeys)
            claims = try payload.claims
            algorithm = payload.header.algorithm
            keyIssuer = quirks.keysHaveIssuers ? payload.keyIssuer : nil
        } catch {
            throw OAuthError(.securityCheckFailed, "the ID token was rejected: \(error.explanation)", underlying: error)
        }
        do throws(ClaimProblem) {
            let reader = ClaimsReader(claims: claims)
            let token = try token(text, reader)
            try reader.checkIssuer(is: issuer, or: quirks.otherIssuers)
            try reader.checkKey(of: keyIssuer, signing: token.issuer)
            try checkRequiredClaims(token)
            try reader.checkAudience(token.audience, contains: client.id)
            try reader.checkAuthorizedParty(of: token.audience, is: client.id)
            try reader.checkTimes(at: now, tolerance: quirks.clockTolerance)
            switch occasion {
            case .refresh(let old): if let old { try check(token, replacing: old) }
            case .signIn:
                guard token.issuedAt >= now.addingTimeInterval(-quirks.maximumTokenAge) else {
                    throw ClaimProblem("it was issued long before this sign-in (iat)")
                }
                try checkNonce(reader)
                try checkAge(token, at: now)
                try checkContextClass(token)
                guard subjects.isEmpty || subjects.contains(where: { token.subject.hasSameBytes(as: $0) }) else {
                    throw ClaimProblem("it is for a user who was not requested (sub)")
                }
            }
            try checkHash("at_hash", of: accessToken, isRequired: hashesRequired.contains(.accessToken), reader, algorithm)
            try checkHash("c_hash", of: code, isRequired: hashesRequired.contains(.code), reader, algorithm)
            try checkHash("s_hash", of: state, isRequired: false, reader, algorithm)
            if let counterpart { try check(token, agreeingWith: counterpart) }
            return token
        } catch {
            throw OAuthError(.securityCheckFailed, "the ID token was rejected: \(error.explanation)")
        }
    }

    private func token(_ text: Secret<String>, _ reader: ClaimsReader) throws(ClaimProblem) -> IDToken {
        IDToken(
            issuer: try reader.text("iss"),
            subject: try reader.subject(),
            audience: try reader.audience(),
            issuedAt: try reader.time("iat"),
            expiresAt: try reader.time("exp"),
            authenticatedAt: try reader.optionalTime("auth_time"),
            claims: reader.claims,
            text: text)
    }

    private func checkRequiredClaims(_ token: IDToken) throws(ClaimProblem) {
        guard !quirks.requiredClaims.isEmpty else { return }
        for (name, value) in quirks.requiredClaims.sorted(by: { $0.key < $1.key }) {
            guard let received = token.claims[name]?.string, received.hasSameBytes(as: value) else {
                throw ClaimProblem("its \(name) is not \(shown(value))")
            }
        }
    }

    private func checkNonce(_ reader: ClaimsReader) throws(ClaimProblem) {
        switch (nonce?.reveal(), reader.claims["nonce"]) {
        case (nil, nil), (nil, .null?): return
        case (nil, ""?) where quirks.nonce == .mayBeEmpty: return
        case (nil, _?): throw ClaimProblem("it has a nonce, although none was sent")
        case (_?, nil), (_?, .null?):
            guard quirks.nonce == .mayBeMissing else { throw ClaimProblem("it has no nonce") }
        case (let sent?, let received?):
            guard let received = received.string, constantTimeEqual(received, sent) else {
                throw ClaimProblem("its nonce is not the one that was sent")
            }
        }
    }

    private func checkAge(_ token: IDToken, at now: Date) throws(ClaimProblem) {
        if let time = token.authenticatedAt, time > now.addingTimeInterval(quirks.clockTolerance) {
            throw ClaimProblem("its auth_time is in the future")
        }
        guard token.authenticatedAt != nil || !client.registered.requiresAuthenticationTime else {
            throw ClaimProblem("it has no auth_time, although the client registered require_auth_time")
        }
        guard let maximumAge else { return }
        guard let time = token.authenticatedAt else { throw ClaimProblem("it has no auth_time, although max_age was sent") }
        guard now.timeIntervalSince(time) <= Double(maximumAge) + quirks.clockTolerance else {
            throw ClaimProblem("the user authenticated longer ago than the requested max_age allows (auth_time)")
        }
    }

    private func checkContextClass(_ token: IDToken) throws(ClaimProblem) {
        guard !acrValues.isEmpty else { return }
        guard let received = token.authenticationContextClass, acrValues.contains(where: { received.hasSameBytes(as: $0) }) else {
            throw ClaimProblem("its acr is none of the required authentication context classes")
        }
    }

    /// OpenID Connect Core 1.0 §3.1.3.8 and §3.3.2.11.
    private func checkHash(
        _ name: String, of value: Secret<String>?, isRequired: Bool, _ reader: ClaimsReader, _ algorithm: SignatureAlgorithm
    ) throws(ClaimProblem) {
        guard value != nil || isRequired else { return }
        guard let received = reader.claims[name], received != .null else {
            guard !isRequired else { throw ClaimProblem("it has no \(name)") }
            return
        }
        guard let value else { return }
        guard let received = received.string, let expected = algorithm.leftHalfHash(of: value),
            constantTimeEqual(received, expected)
        else {
            throw ClaimProblem("its \(name) does not match the value in the same message")
        }
    }

    private func check(_ token: IDToken, agreeingWith other: IDToken) throws(ClaimProblem) {
        guard token.issuer.hasSameBytes(as: other.issuer), token.subject.hasSameBytes(as: other.subject) else {
            throw ClaimProblem("it is about a different user than the ID token in the callback (iss, sub)")
        }
        for name in ["aud", "azp", "auth_time", "acr"] {
            guard let value = token.claims[name], let before = other.claims[name] else { continue }
            guard value == before else { throw ClaimProblem("its \(name) differs from the ID token in the callback") }
        }
    }

    /// OpenID Connect Core 1.0 §12.2: a refresh does not change who is signed in.
    private func check(_ token: IDToken, replacing old: IDToken) throws(ClaimProblem) {
        guard token.issuer.hasSameBytes(as: old.issuer) else { throw ClaimProblem("its iss differs from that of the sign-in") }
        guard token.subject.hasSameBytes(as: old.subject) else {
            throw ClaimProblem("it is for a different user than the one who signed in (sub)")
        }
        guard old.audience.allSatisfy({ old in token.audience.contains { $0.hasSameBytes(as: old) } }) else {
            throw ClaimProblem("its aud lacks a client of the sign-in's ID token")
        }
        guard token.claims["azp"] == old.claims["azp"] else { throw ClaimProblem("its azp differs from that of the sign-in") }
        if let time = token.authenticatedAt, let before = old.authenticatedAt, time != before {
            throw ClaimProblem("its auth_time differs from that of the sign-in")
        }
        if let nonce = token.claims["nonce"], nonce != .null, nonce != old.claims["nonce"], nonce != "" || quirks.nonce != .mayBeEmpty {
            throw ClaimProblem("its nonce differs from that of the sign-in")
        }
        guard token.issuedAt >= old.issuedAt.addingTimeInterval(-quirks.clockTolerance) else {
            throw ClaimProblem("it is older than the ID token of the sign-in (iat)")
        }
    }

    private func shown(_ text: String) -> String { "\"\(displayable(text, limit: 200))\"" }
}
