import AuthHubPrimitives
import Platform
import Synchronization

/// Clients that authenticate with a token that they sign (RFC 7523 §3).
extension ServerState {
    private static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    private static let longestLifetime: Int64 = 3600

    /// Returns the client that signed the assertion of a form.
    ///
    /// - Throws: ``ClientAuthenticationError``, which names the first thing that is wrong, and repeats nothing of the assertion.
    func clientOfAssertion(in form: FormParameters) throws(ClientAuthenticationError) -> DevelopmentClient {
        func require(_ isMet: Bool, _ problem: String) throws(ClientAuthenticationError) {
            guard isMet else { throw .assertion(problem) }
        }
        try require(form["client_assertion_type"] == Self.assertionType, "needs the client_assertion_type \(Self.assertionType)")
        guard let token = form["client_assertion"].flatMap({ CompactToken($0) }) else { throw .assertion("is not a signed JSON Web Token") }
        guard let id = token.claims["sub"]?.string, let client = client(id: id) else {
            throw .assertion("has a sub that is not the ID of a client")
        }
        try require(token.claims["iss"]?.string == id, "has an iss that differs from its sub")
        try require(form["client_id"].map { $0 == id } ?? true, "is for a different client than the client_id")
        let rules = openIDConnect.withLock(\.assertions)
        let type = token.header["typ"]?.string
        let types: [String?] = rules.acceptsType ? [nil, "JWT", "client-authentication+jwt"] : [nil]
        try require(types.contains(type), "has a typ that this server does not accept")
        try require(
            rules.algorithms.contains(token.header["alg"]?.string ?? ""),
            "has an alg other than \(rules.algorithms.joined(separator: ", "))")
        try require(isSigned(token, by: client), "has a signature that none of the client's keys verifies")
        try checkAudience(token.claims["aud"], rules.audience)
        let now = Int64(now.timeIntervalSince1970)
        guard let expiry = token.claims["exp"]?.number?.int64 else { throw .assertion("has no exp that is a number of seconds") }
        try require(expiry > now, "has expired")
        try require(expiry <= now + Self.longestLifetime, "is valid for more than \(Self.longestLifetime) seconds")
        guard let name = token.claims["jti"]?.string else { throw .assertion("has no jti") }
        try require(isFirstUse(of: "\(id) \(name)"), "was used before: its jti is not new")
        return client
    }

    private func checkAudience(_ audience: JSONValue?, _ rule: Persona.AssertionRules.Audience) throws(ClientAuthenticationError) {
        let tokenEndpoint = issuer + persona.addresses.token
        switch rule {
        case .any:
            let named = audience?.array ?? [audience].compactMap(\.self)
            guard !named.contains(where: { $0 == .string(issuer) || $0 == .string(tokenEndpoint) }) else { return }
            throw .assertion("has an aud other than the issuer \(issuer) and the token endpoint \(tokenEndpoint)")
        case .issuer where audience != .string(issuer): throw .assertion("has an aud other than the string \(issuer)")
        case .tokenEndpoint where audience != .string(tokenEndpoint): throw .assertion("has an aud other than the string \(tokenEndpoint)")
        case .issuer, .tokenEndpoint: return
        }
    }

    private func isSigned(_ token: CompactToken, by client: DevelopmentClient) -> Bool {
        guard token.header["alg"] == "HS256" else {
            let keys = client.publicKeys.filter { key in token.header["kid"].map { $0 == key["kid"] } ?? true }
            return keys.contains { VerificationKey($0)?.isSigner(of: token) ?? false }
        }
        guard let secret = client.secret.map({ Array($0.reveal().utf8) }), secret.count >= 32 else { return false }
        return constantTimeEqual(TokenSigner.mac(of: token.signed, key: secret), token.signature)
    }

    /// Whether an assertion was not used before.
    private func isFirstUse(of name: String) -> Bool {
        usedAssertions.withLock { used in
            guard used[name] == nil else { return false }
            used[name] = true
            return true
        }
    }
}
