import AuthHubPrimitives
import JOSE
import Platform
import Synchronization

/// The tokens that a client signs to authenticate (RFC 7523 §2.2 and §3): one for each request.
final class ClientAssertion: Sendable {
    /// The `client_assertion_type` (RFC 7523 §2.2).
    static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    private enum Signer: Sendable {
        case own(ClientKeys)
        case secret(SoftwareSigningKey)
    }

    private let clientID: String
    private let signer: Signer
    private let audience: String
    /// The `typ` of the tokens; nil for none.
    private let tokenType: String?
    /// The algorithms that the server accepts; nil if it does not say.
    private let algorithms: [String]?
    private let server: String
    private let issued = Mutex<[Secret<String>]>([])

    /// How long a token is valid, in seconds.
    private static let lifetime: Int64 = 60

    /// - Returns: nil if the method is without a signature.
    /// - Throws: ``OAuthError`` with `.misuse` if the client has no key, or if its secret is too short (RFC 7518 §3.2); `.configuration` if
    ///   the server has neither issuer nor token endpoint.
    init?(of client: OAuthClient, by method: ClientAuthenticationMethod, at server: ProviderProfile) throws(OAuthError) {
        let signer: Signer
        switch method {
        case .privateKeyJWT:
            guard let keys = client.keys, keys.canSign else {
                throw OAuthError(.misuse, "\(server.displayName) requires a signature by the client, and the client has no private key")
            }
            signer = .own(keys)
        case .clientSecretJWT:
            guard let secret = client.secret else { return nil }
            do throws(JOSEError) {
                signer = .secret(try SoftwareSigningKey(clientSecret: secret))
            } catch {
                throw OAuthError(
                    .misuse, "the client secret is too short to sign with: client_secret_jwt needs at least 32 bytes", underlying: error)
            }
        default: return nil
        }
        let quirks = server.quirks.requests
        let issuer = quirks.assertionAudience == .issuer ? server.metadata?.issuer ?? server.issuer : nil
        audience = if let issuer { issuer } else { try server.url(of: .token) }
        clientID = client.id
        self.signer = signer
        tokenType = quirks.omitsAssertionType ? nil : "client-authentication+jwt"
        algorithms = server.metadata?.tokenEndpointAuthenticationAlgorithms
        self.server = server.displayName
    }

    /// The tokens that were issued so far.
    var sent: [Secret<String>] { issued.withLock { $0 } }

    /// Returns a new token.
    ///
    /// - Throws: ``OAuthError``: `.configuration` if the server accepts no algorithm that the key can be used with, `.misuse` if there is no
    ///   key at this time or it cannot sign.
    func text(at now: Date) async throws(OAuthError) -> Secret<String> {
        let key = try key(at: now)
        let second = Int64(now.timeIntervalSince1970)
        var claims = JSONObject()
        claims["iss"] = .string(clientID)
        claims["sub"] = .string(clientID)
        claims["aud"] = .string(audience)
        claims["jti"] = .string(Base64URL.encode(randomBytes(count: 16)))
        claims["iat"] = .number(JSONNumber(second))
        claims["exp"] = .number(JSONNumber(second + Self.lifetime))
        do {
            let token = try await JSONWebSignature.sign(claims, with: key, type: tokenType)
            issued.withLock { $0.append(token) }
            return token
        } catch {
            throw OAuthError(.misuse, "the client's key could not sign", underlying: error)
        }
    }

    private func key(at now: Date) throws(OAuthError) -> SoftwareSigningKey {
        let own: SoftwareSigningKey? =
            switch signer {
            case .own(let keys): keys.signingKey(at: now)
            case .secret(let key): key
            }
        guard let own else { throw OAuthError(.misuse, "the client has no private key that is valid now") }
        guard let algorithms else { return own }
        guard let key = own.signing(withOneOf: algorithms) else {
            throw OAuthError(
                .configuration,
                "\(server) does not support signatures with \(own.algorithm.rawValue); it lists \(displayable(algorithms.joined(separator: ", "), limit: 200))"
            )
        }
        return key
    }
}
