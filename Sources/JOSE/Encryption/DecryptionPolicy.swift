/// The algorithms that an encrypted token may use.
///
/// Allow exactly what the client registered, for example in `id_token_encrypted_response_alg` and `id_token_encrypted_response_enc`.
public struct DecryptionPolicy: Sendable, Hashable {
    /// The allowed algorithms for the content key, `alg`.
    public var keyManagement: Set<KeyManagementAlgorithm>
    /// The allowed algorithms for the content, `enc`.
    public var contentEncryption: Set<ContentEncryption>

    /// Creates a policy. With an empty set, it allows no token.
    public init(keyManagement: Set<KeyManagementAlgorithm>, contentEncryption: Set<ContentEncryption>) {
        self.keyManagement = keyManagement
        self.contentEncryption = contentEncryption
    }
}
