public import JOSE

/// A client's registered settings for ID tokens, UserInfo responses and logout tokens (OpenID Connect Dynamic Client Registration 1.0 §2).
///
/// By default, nothing is registered: the algorithms come from the provider, and messages are not encrypted. A session accepts only messages
/// that are protected as registered here. If you register the client with ``ClientMetadata``, you do not need to set anything:
/// ``ClientRegistration/client(at:redirectURI:keys:at:)`` copies what the server registered.
public struct OpenIDRegistration: Sendable, Hashable {
    /// How messages to the client are encrypted.
    public struct Encryption: Sendable, Hashable {
        /// The algorithm for the content key, as in `id_token_encrypted_response_alg`.
        public var algorithm: KeyManagementAlgorithm
        /// The algorithm for the content, as in `id_token_encrypted_response_enc`.
        public var content: ContentEncryption

        /// Creates an encryption. `A128CBC-HS256` is the standard's default for the content.
        public init(_ algorithm: KeyManagementAlgorithm, content: ContentEncryption = .a128CBCHS256) {
            self.algorithm = algorithm
            self.content = content
        }
    }

    /// The only algorithm that ID tokens and logout tokens may be signed with (`id_token_signed_response_alg`); nil if the provider
    /// determines it.
    public var idTokenSignature: SignatureAlgorithm?
    /// How ID tokens and logout tokens are encrypted; nil if they are not.
    public var idTokenEncryption: Encryption?
    /// The only algorithm that UserInfo responses may be signed with (`userinfo_signed_response_alg`); nil if they need not be signed.
    public var userInfoSignature: SignatureAlgorithm?
    /// How UserInfo responses are encrypted; nil if they are not.
    public var userInfoEncryption: Encryption?
    /// Whether ID tokens must say when the user authenticated (`require_auth_time`).
    public var requiresAuthenticationTime = false
    /// The maximum time since the user authenticated, in seconds, for sign-ins that request none (`default_max_age`).
    public var defaultMaximumAge: Int?

    /// Creates a registration without any members.
    public init() {}
}

extension OpenIDRegistration.Encryption {
    /// The policy that allows only these algorithms.
    var policy: DecryptionPolicy { DecryptionPolicy(keyManagement: [algorithm], contentEncryption: [content]) }
}
