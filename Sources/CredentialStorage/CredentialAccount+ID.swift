import Crypto

extension CredentialAccount: Identifiable {
    /// Names an account without telling its names to those who do not know them: SHA-256 of the three.
    public struct ID: Sendable, Hashable {
        /// 32 bytes.
        public let bytes: [UInt8]

        /// An identifier that was kept.
        public init(bytes: [UInt8]) {
            self.bytes = bytes
        }
    }

    public var id: ID {
        ID(bytes: Array(SHA256.hash(data: identity)))
    }
}
