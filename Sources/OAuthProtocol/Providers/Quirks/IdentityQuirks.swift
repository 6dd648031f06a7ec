extension ProviderQuirks {
    /// How the provider's ID tokens differ from OpenID Connect Core 1.0.
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

        /// The `nonce` that the provider's ID tokens have.
        package var nonce = Nonce.required
        /// The accepted signature algorithms, instead of those in the metadata.
        package var algorithms: [String]?
        /// Other issuers that the provider's ID tokens may name, exactly or with the claim `tid` instead of a part in braces.
        package var otherIssuers: [String] = []
        /// Claims with exactly these values, which every ID token must have.
        package var requiredClaims: [String: String] = [:]
        /// Whether keys have the member `issuer`, which limits them to tokens of this issuer. A part in braces stands for the claim `tid`.
        package var keysHaveIssuers = false
        /// The reason that the profile's flow returns no ID token, for a provider that issues ID tokens in other flows.
        package var unavailableBecause: String?
        /// Whether a token response may lack an ID token, although `openid` was requested.
        package var idTokenMayBeMissing = false
        /// Whether the UserInfo endpoint must return a signed token, because the client was registered that way
        /// (`userinfo_signed_response_alg`).
        package var userInfoMustBeSigned = false
        /// Whether the UserInfo endpoint reads the access token only from the form of a POST request (RFC 6750 §2.2).
        package var userInfoReadsForm = false
        /// Whether a token that does not name its key is tried with up to four keys that fit.
        package var triesAllFittingKeys = false
        /// How far the server's clock may be off, in seconds: 30 by default, 300 at most.
        package var clockTolerance: Double {
            get { tolerance }
            set { tolerance = newValue.isNaN ? 0 : min(max(newValue, 0), 300) }
        }
        /// The maximum time between the issue of an ID token and its arrival in a sign-in, in seconds.
        package var maximumTokenAge: Double = 3600
        private var tolerance: Double = 30

        package init() {}
    }
}
