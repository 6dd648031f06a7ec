import AuthHubPrimitives
import JOSE
import Platform

/// The content of a token, and the result of verifying it.
struct TokenInspection: Sendable {
    /// The result of verifying a token.
    struct Verification: Sendable {
        let keys: KeySetReport
        /// The rules, the signature first.
        let rules: [TokenRule]
        /// The key that the token was signed with; nil if the signature is not valid.
        let key: JSONWebKey?
    }

    let header: JSONObject
    /// The claims; nil if the token is encrypted.
    let claims: JSONObject?
    /// nil if there were no keys to verify the token with.
    let verification: Verification?

    /// Whether a key of the server signed the claims.
    var isSigned: Bool { verification?.key != nil }
    /// Whether the signature is valid and no rule failed.
    var isVerified: Bool { isSigned && failed.isEmpty }
    var failed: [TokenRule] { verification?.rules.filter { $0.outcome == .failed } ?? [] }
}

extension TokenInspection {
    /// Decodes a token without verifying it.
    init(_ text: Secret<String>) throws(Failure) {
        let token = try UnverifiedToken(text)
        (header, claims, verification) = (token.header, token.claims, nil)
    }

    /// Verifies a token.
    ///
    /// - Parameters:
    ///   - issuer: The issuer that the token must name; nil if it may name any.
    ///   - clientID: The client that the token must be for; nil if it may be for any.
    init(_ text: Secret<String>, keys: KeySetReport, issuer: String?, clientID: String?, now: Date) throws(Failure) {
        let token = try UnverifiedToken(text)
        header = token.header
        do throws(JOSEError) {
            guard token.claims != nil else { throw Self.encrypted }
            let signature = try JSONWebSignature(text)
            let payload = try signature.verified(by: keys.keys, allowing: .publicKeyAlgorithms)
            let verified = try payload.claims
            let key = try keys.keys.key(for: payload.header, allowing: .publicKeyAlgorithms)
            let reason = "\(payload.header.algorithm), with the key \(key.keyID.map { "“\(escaped($0, limit: 100))”" } ?? key.thumbprint)"
            claims = verified
            let rules = ClaimRules(issuer: issuer, clientID: clientID, now: now)
            verification = Verification(
                keys: keys, rules: [.ok(.signature, reason), rules.validate(type: signature.header.type)] + rules.validate(verified),
                key: key)
        } catch {
            claims = token.claims
            let others = [TokenRule.Name.typ, .iss, .aud, .exp, .nbf, .iat].map { name in
                TokenRule.notChecked(name, "the token is not verified")
            }
            verification = Verification(
                keys: keys, rules: [.failed(.signature, Self.reason(error, header: token.header))] + others, key: nil)
        }
    }

    private static var encrypted: JOSEError { JOSEError(.notAllowed, "the token is encrypted, and only its recipient can read it") }

    private static func reason(_ error: JOSEError, header: JSONObject) -> String {
        let name = header["alg"]?.string ?? ""
        if name.lowercased() == "none" { return "the token is not signed (alg “\(escaped(name, limit: 50))”)" }
        guard error.code == .notAllowed, name.hasPrefix("HS") else { return error.explanation }
        return "\(error.explanation): \(escaped(name, limit: 50)) needs a shared secret, and a key set has only public keys"
    }
}

extension TokenInspection {
    /// The failure of the command; nil if the token was verified.
    var failure: Failure? {
        guard let verification else {
            return Failure(
                "not_verified", .failed, "nothing was verified; anyone could have written this token",
                hint: "authhub jwt inspect --issuer URL verifies the token with the keys of its issuer, if you trust that issuer")
        }
        guard !failed.isEmpty else { return nil }
        let reasons = failed.map { "\($0.name.rawValue): \($0.reason)" }.joined(separator: "; ")
        guard failed.allSatisfy(\.isAboutTime) else {
            return Failure(
                "security_check_failed", .securityCheckFailed, "the token was rejected: \(reasons)",
                hint: isSigned
                    ? "do not use the token; it was issued by another server, for another program or for another purpose"
                    : "do not use the token; authhub jwks \(verification.keys.url.shellWord) shows the keys that it was verified with")
        }
        return Failure("not_active", .failed, "the token is not valid now: \(reasons)", hint: "get another token from its issuer")
    }
}
