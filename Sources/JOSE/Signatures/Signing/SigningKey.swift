/// A private key that can sign: in memory, in a Secure Enclave or TPM, or at a remote signer.
public protocol SigningKey: Sendable {
    /// The algorithm of the signatures.
    var algorithm: SignatureAlgorithm { get }
    /// The public key that the signatures can be verified with.
    var publicKey: JSONWebKey { get }
    /// Signs bytes.
    ///
    /// - Returns: The signature in the format of JOSE (RFC 7518 §3): for ECDSA, the two integers one after the other, not DER.
    func signature(for bytes: [UInt8]) async throws -> [UInt8]
}
