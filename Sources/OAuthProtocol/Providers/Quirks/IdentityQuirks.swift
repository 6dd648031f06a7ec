extension ProviderQuirks {
    /// What the provider's ID tokens contain, for programs that validate them.
    package struct IdentityQuirks: Sendable, Hashable {
        /// The `nonce` of an ID token.
        package enum Nonce: String, Sendable, Hashable, CaseIterable {
            /// As OpenID Connect Core 1.0 §3.1.3.7 requires.
            case required
            /// May be missing, even if one was sent.
            case mayBeMissing = "may_be_missing"
            /// May be an empty string if none was sent.
            case mayBeEmpty = "may_be_empty"
        }

        /// Which `nonce` the provider's ID tokens have.
        package var nonce = Nonce.required
        /// The accepted signature algorithms, instead of those in the metadata.
        package var algorithms: [String]?

        package init() {}
    }
}
