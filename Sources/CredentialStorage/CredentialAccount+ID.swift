import Crypto

extension CredentialAccount: Identifiable {
    /// The SHA-256 hash of an account's server, client ID and label. The hash identifies the account without revealing these strings.
    public struct ID: Sendable, Hashable {
        /// The 32 bytes of the hash.
        public let bytes: [UInt8]

        /// Creates an identifier from the bytes of a stored hash.
        public init(bytes: [UInt8]) {
            self.bytes = bytes
        }
    }

    public var id: ID {
        ID(bytes: Array(SHA256.hash(data: identity)))
    }
}
