import Crypto

extension CredentialAccount: Identifiable {
    /// An identifier that does not reveal the account's names to anyone who does not know them: SHA-256 of the three names.
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
