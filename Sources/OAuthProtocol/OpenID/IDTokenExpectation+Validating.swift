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
        do throws(IDTokenProblem) {
            let reader = ClaimsReader(claims: claims)
            let token = try token(text, reader)
            try checkIssuer(token, reader)
            try reader.checkKey(of: keyIssuer, signing: token.issuer)
            try checkRequiredClaims(token)
            try checkAudience(token)
            try checkTimes(token, reader, isRefresh: occasion.isRefresh, at: now)
            switch occasion {
            case .refresh(let old): if let old { try check(token, replacing: old) }
            case .signIn:
                try checkNonce(reader)
                try checkAge(token, at: now)
                try checkContextClass(token)
                guard subjects.isEmpty || subjects.contains(where: { token.subject.hasSameBytes(as: $0) }) else {
                    throw IDTokenProblem("it is for a user who was not requested (sub)")
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

    private func token(_ text: Secret<String>, _ reader: ClaimsReader) throws(IDTokenProblem) -> IDToken {
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

    private func checkIssuer(_ token: IDToken, _ reader: ClaimsReader) throws(IDTokenProblem) {
        if token.issuer.hasSameBytes(as: try reader.filledIn(issuer)) { return }
        for other in quirks.otherIssuers where token.issuer.hasSameBytes(as: try reader.filledIn(other)) { return }
        throw IDTokenProblem("its iss is \(shown(token.issuer)), not \(shown(try reader.filledIn(issuer)))")
    }

    private func checkRequiredClaims(_ token: IDToken) throws(IDTokenProblem) {
        guard !quirks.requiredClaims.isEmpty else { return }
        for (name, value) in quirks.requiredClaims.sorted(by: { $0.key < $1.key }) {
            guard let received = token.claims[name]?.string, received.hasSameBytes(as: value) else {
                throw IDTokenProblem("its \(name) is not \(shown(value))")
            }
        }
    }

    private func checkAudience(_ token: IDToken) throws(IDTokenProblem) {
        guard token.audience.contains(where: { $0.hasSameBytes(as: client.id) }) else {
            throw IDTokenProblem("it is for another client: its aud does not contain this client's ID")
        }
        if let party = token.claims["azp"], party != .null {
            guard let party = party.string, party.hasSameBytes(as: client.id) else {
                throw IDTokenProblem("it was issued to another client: its azp is not this client's ID")
            }
        } else if token.audience.count > 1 {
            throw IDTokenProblem("it is for several clients, and has no azp that says that it was issued to this one")
        }
    }

    private func checkTimes(_ token: IDToken, _ reader: ClaimsReader, isRefresh: Bool, at now: Date) throws(IDTokenProblem) {
        let tolerance = quirks.clockTolerance
        guard token.expiresAt > now.addingTimeInterval(-tolerance) else {
            throw IDTokenProblem("it has expired (exp); if it was issued just now, the clock of this machine or of the server is wrong")
        }
        guard token.issuedAt <= now.addingTimeInterval(tolerance) else {
            throw IDTokenProblem("it was issued in the future (iat); the clock of this machine or of the server may be wrong")
        }
        guard isRefresh || token.issuedAt >= now.addingTimeInterval(-quirks.maximumTokenAge) else {
            throw IDTokenProblem("it was issued long before this sign-in (iat)")
        }
        if let start = try reader.optionalTime("nbf"), start > now.addingTimeInterval(tolerance) {
            throw IDTokenProblem("it is not valid yet (nbf); the clock of this machine or of the server may be wrong")
        }
    }

    private func checkNonce(_ reader: ClaimsReader) throws(IDTokenProblem) {
        switch (nonce?.reveal(), reader.claims["nonce"]) {
        case (nil, nil), (nil, .null?): return
        case (nil, ""?) where quirks.nonce == .mayBeEmpty: return
        case (nil, _?): throw IDTokenProblem("it has a nonce, although none was sent")
        case (_?, nil), (_?, .null?):
            guard quirks.nonce == .mayBeMissing else { throw IDTokenProblem("it has no nonce") }
        case (let sent?, let received?):
            guard let received = received.string, constantTimeEqual(received, sent) else {
                throw IDTokenProblem("its nonce is not the one that was sent")
            }
        }
    }

    private func checkAge(_ token: IDToken, at now: Date) throws(IDTokenProblem) {
        if let time = token.authenticatedAt, time > now.addingTimeInterval(quirks.clockTolerance) {
            throw IDTokenProblem("its auth_time is in the future")
        }
        guard token.authenticatedAt != nil || !client.registered.requiresAuthenticationTime else {
            throw IDTokenProblem("it has no auth_time, although the client registered require_auth_time")
        }
        guard let maximumAge else { return }
        guard let time = token.authenticatedAt else { throw IDTokenProblem("it has no auth_time, although max_age was sent") }
        guard now.timeIntervalSince(time) <= Double(maximumAge) + quirks.clockTolerance else {
            throw IDTokenProblem("the user authenticated longer ago than the requested max_age allows (auth_time)")
        }
    }

    private func checkContextClass(_ token: IDToken) throws(IDTokenProblem) {
        guard !acrValues.isEmpty else { return }
        guard let received = token.authenticationContextClass, acrValues.contains(where: { received.hasSameBytes(as: $0) }) else {
            throw IDTokenProblem("its acr is none of the required authentication context classes")
        }
    }

    /// OpenID Connect Core 1.0 §3.1.3.8 and §3.3.2.11.
    private func checkHash(
        _ name: String, of value: Secret<String>?, isRequired: Bool, _ reader: ClaimsReader, _ algorithm: SignatureAlgorithm
    ) throws(IDTokenProblem) {
        guard value != nil || isRequired else { return }
        guard let received = reader.claims[name], received != .null else {
            guard !isRequired else { throw IDTokenProblem("it has no \(name)") }
            return
        }
        guard let value else { return }
        guard let received = received.string, let expected = algorithm.leftHalfHash(of: value),
            constantTimeEqual(received, expected)
        else {
            throw IDTokenProblem("its \(name) does not match the value in the same message")
        }
    }

    private func check(_ token: IDToken, agreeingWith other: IDToken) throws(IDTokenProblem) {
        guard token.issuer.hasSameBytes(as: other.issuer), token.subject.hasSameBytes(as: other.subject) else {
            throw IDTokenProblem("it is about a different user than the ID token in the callback (iss, sub)")
        }
        for name in ["aud", "azp", "auth_time", "acr"] {
            guard let value = token.claims[name], let before = other.claims[name] else { continue }
            guard value == before else { throw IDTokenProblem("its \(name) differs from the ID token in the callback") }
        }
    }

    /// OpenID Connect Core 1.0 §12.2: a refresh does not change who is signed in.
    private func check(_ token: IDToken, replacing old: IDToken) throws(IDTokenProblem) {
        guard token.issuer.hasSameBytes(as: old.issuer) else { throw IDTokenProblem("its iss differs from that of the sign-in") }
        guard token.subject.hasSameBytes(as: old.subject) else {
            throw IDTokenProblem("it is for a different user than the one who signed in (sub)")
        }
        guard old.audience.allSatisfy({ old in token.audience.contains { $0.hasSameBytes(as: old) } }) else {
            throw IDTokenProblem("its aud lacks a client of the sign-in's ID token")
        }
        guard token.claims["azp"] == old.claims["azp"] else { throw IDTokenProblem("its azp differs from that of the sign-in") }
        if let time = token.authenticatedAt, let before = old.authenticatedAt, time != before {
            throw IDTokenProblem("its auth_time differs from that of the sign-in")
        }
        if let nonce = token.claims["nonce"], nonce != .null, nonce != old.claims["nonce"], nonce != "" || quirks.nonce != .mayBeEmpty {
            throw IDTokenProblem("its nonce differs from that of the sign-in")
        }
        guard token.issuedAt >= old.issuedAt.addingTimeInterval(-quirks.clockTolerance) else {
            throw IDTokenProblem("it is older than the ID token of the sign-in (iat)")
        }
    }

    private func shown(_ text: String) -> String { "\"\(displayable(text, limit: 200))\"" }
}
