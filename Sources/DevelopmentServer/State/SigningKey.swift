import AuthHubPrimitives
import Crypto

/// The key that signs ID tokens: ES256 (RFC 7518 §3.4), generated for each server.
struct SigningKey: Sendable {
    private let key = P256.Signing.PrivateKey()
    let id = Base64URL.encode(randomBytes(count: 8))
}

extension SigningKey {
    /// The public part as a JSON Web Key Set (RFC 7517 §5).
    var keySet: JSONValue {
        let point = key.publicKey.rawRepresentation
        let half = point.count / 2
        return [
            "keys": [
                [
                    "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": .string(id),
                    "x": .string(Base64URL.encode(point.prefix(half))), "y": .string(Base64URL.encode(point.suffix(half))),
                ]
            ]
        ]
    }

    /// Returns claims as a signed JSON Web Token (RFC 7515 §3.1), or nil if signing fails.
    func sign(_ claims: JSONObject) -> String? {
        let header: JSONValue = ["alg": "ES256", "typ": "JWT", "kid": .string(id)]
        let input = Base64URL.encode(header.serialized()) + "." + Base64URL.encode(JSONValue.object(claims).serialized())
        guard let signature = try? key.signature(for: Array(input.utf8)) else { return nil }
        return input + "." + Base64URL.encode(signature.rawRepresentation)
    }

    /// Returns the claims of a token that this key has signed; nil for all others.
    func claims(of token: String) -> JSONObject? {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64URL.decode(parts[1]), let bytes = Base64URL.decode(parts[2]),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes),
            key.publicKey.isValidSignature(signature, for: Array("\(parts[0]).\(parts[1])".utf8))
        else { return nil }
        return (try? JSONValue(strict: payload))?.object
    }
}
