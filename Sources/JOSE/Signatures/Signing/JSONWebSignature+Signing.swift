public import AuthHubPrimitives

extension JSONWebSignature {
    /// How a signed token says which key it was signed with.
    package enum KeyReference: Sendable {
        /// By the `kid` of the public key, if it has one.
        case keyID
        /// By the public key itself, as `jwk`, which a DPoP proof requires (RFC 9449 §4.2).
        case publicKey
    }

    /// Signs claims. The header has the algorithm, and the `kid` of the public key if it has one.
    ///
    /// - Parameters:
    ///   - payload: The claims.
    ///   - key: The key to sign with.
    ///   - type: The `typ` of the header, such as `JWT`; nil for a header without it.
    /// - Returns: The signed token in the compact serialization.
    /// - Throws: ``JOSEError`` with `.notAllowed` or `.unusableKey` if the key's algorithm is not supported or does not fit its public key,
    ///   with `.invalidSignature` if the key returns a signature of the wrong length; and the errors of the key.
    public static func sign(_ payload: JSONObject, with key: any SigningKey, type: String? = nil) async throws -> Secret<String> {
        try await sign(payload, with: key, type: type, reference: .keyID)
    }

    /// Signs claims.
    package static func sign(
        _ payload: JSONObject, with key: any SigningKey, type: String?, reference: KeyReference
    ) async throws -> Secret<String> {
        try await sign(bytes: JSONValue.object(payload).serialized(), with: key, header: header(for: key, type: type, reference: reference))
    }

    private static func header(for key: any SigningKey, type: String?, reference: KeyReference) -> JSONObject {
        var header = JSONObject()
        header["typ"] = type.map(JSONValue.string)
        header["alg"] = .string(key.algorithm.rawValue)
        switch reference {
        case .keyID: header["kid"] = key.publicKey.keyID.map(JSONValue.string)
        case .publicKey: header["jwk"] = .object(key.publicKey.identity)
        }
        return header
    }

    /// Signs bytes.
    ///
    /// - Parameter header: The whole header, with the algorithm of the key.
    package static func sign(bytes: [UInt8], with key: any SigningKey, header: JSONObject) async throws -> Secret<String> {
        guard let properties = key.algorithm.properties else { throw JOSEError(.notAllowed, "the algorithm is not supported") }
        let publicKey = key.publicKey
        guard publicKey.hasType(for: properties) else {
            throw JOSEError(.unusableKey, "the public key does not fit the algorithm")
        }
        let signed = "\(Base64URL.encode(JSONValue.object(header).serialized())).\(Base64URL.encode(bytes))"
        let signature = try await key.signature(for: Array(signed.utf8))
        guard signature.count == publicKey.signatureLength(properties) else {
            throw JOSEError(
                .invalidSignature, "the signing key returned a signature of \(signature.count) bytes, which does not fit its algorithm")
        }
        return Secret("\(signed).\(Base64URL.encode(signature))")
    }
}
