import AuthHubPrimitives
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Clients that authenticate with a token that they sign (RFC 7523 §3).
extension ServerState {
    private static let assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
    private static let longestLifetime: Int64 = 3600

    /// Returns the client that signed the assertion of a form.
    func clientOfAssertion(in form: FormParameters) throws(ClientAuthenticationError) -> DevelopmentClient {
        guard form["client_assertion_type"] == Self.assertionType, let text = form["client_assertion"],
            let token = CompactToken(text), let id = token.claims["sub"]?.string, token.claims["iss"]?.string == id,
            form["client_id"].map({ $0 == id }) ?? true, let client = client(id: id), isSigned(token, by: client)
        else { throw .failed }
        let rules = openIDConnect.withLock(\.assertions)
        let audience = rules.audience == .issuer ? issuer : issuer + persona.addresses.token
        let types: [String?] = rules.acceptsType ? [nil, "JWT", "client-authentication+jwt"] : [nil]
        let now = Int64(now.timeIntervalSince1970)
        guard types.contains(token.header["typ"]?.string), token.claims["aud"] == .string(audience),
            rules.algorithms.contains(token.header["alg"]?.string ?? ""), let expiry = token.claims["exp"]?.number?.int64,
            expiry > now, expiry <= now + Self.longestLifetime, let name = token.claims["jti"]?.string,
            isFirstUse(of: "\(id) \(name)")
        else { throw .failed }
        return client
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
