import Crypto

extension CredentialAccount: Identifiable {
    /// Identifies an account without revealing its names: the SHA-256 hash of the three.
    public struct ID: Sendable, Hashable {
        /// The 32 bytes of the hash.
        public let bytes: [UInt8]

        /// Creates an identifier from stored bytes.
        public init(bytes: [UInt8]) {
            self.bytes = bytes
        }
    }

    public var id: ID {
        ID(bytes: Array(SHA256.hash(data: identity)))
    }
}
