/// An error that says why a key, a signed token or an encrypted token was not accepted.
///
/// An error never contains a key, a token, or a claim of a token that was not verified.
public struct JOSEError: Error, Hashable {
    /// The kind of error. More codes may be added.
    public struct Code: Sendable, Hashable {
        private let name: String

        private init(_ name: String) {
            self.name = name
        }

        /// The text or the key does not have the format that the standards require.
        public static let malformed = Self("malformed")
        /// An algorithm or header parameter is not allowed here, or not supported.
        public static let notAllowed = Self("not_allowed")
        /// A key is not safe to use, or cannot be used for this.
        public static let unusableKey = Self("unusable_key")
        /// No key fits the header. The key set may be out of date.
        public static let noKey = Self("no_key")
        /// Several keys fit the header.
        public static let ambiguousKey = Self("ambiguous_key")
        /// The signature is not valid for the key.
        public static let invalidSignature = Self("invalid_signature")
        /// The encrypted token cannot be decrypted. The reason is not given, because it could help an attacker.
        public static let decryptionFailed = Self("decryption_failed")
    }

    /// The kind of error.
    public let code: Code
    /// What is wrong, as text that is safe to display.
    public let explanation: String

    package init(_ code: Code, _ explanation: String) {
        self.code = code
        self.explanation = explanation
    }
}

extension JOSEError.Code: CustomStringConvertible {
    public var description: String { name }
}

extension JOSEError: CustomStringConvertible {
    public var description: String { "\(code): \(explanation)" }
}
