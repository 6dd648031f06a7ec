extension ProviderQuirks {
    /// Whether the server issues refresh tokens, and how long each is valid. Informative: the client follows what the server issues.
    package enum RefreshTokens: String, Sendable, Hashable, CaseIterable {
        /// Whatever the server issues.
        case asIssued = "as_issued"
        /// Each refresh token is valid once, and the response contains the next one.
        case rotated
        /// One refresh token stays valid until it is revoked.
        case kept
        /// No refresh tokens: the user signs in again.
        case none
    }
}
