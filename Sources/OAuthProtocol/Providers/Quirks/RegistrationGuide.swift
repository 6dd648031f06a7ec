extension ProviderQuirks {
    /// What the user needs to know to register a client.
    package struct RegistrationGuide: Sendable, Hashable {
        /// The forms of redirect URIs that the provider accepts.
        package enum RedirectURIForm: String, Sendable, Hashable, CaseIterable {
            /// `http://127.0.0.1/callback`, with any port at sign-in (RFC 8252 §7.3).
            case loopbackAnyPort = "loopback_any_port"
            /// `http://127.0.0.1:PORT/callback`, with the registered port only.
            case loopbackFixedPort = "loopback_fixed_port"
            /// `http://localhost…` only, not the IP address.
            case localhost
            /// `com.example.app:/callback`.
            case customScheme = "custom_scheme"
            case https
        }

        /// Whether a client has a secret.
        package enum Secret: String, Sendable, Hashable, CaseIterable {
            case required
            /// Some kinds of clients have none.
            case optional
            /// None is issued.
            case none
        }

        /// The title of the provider's documentation.
        package var documentation: String?
        /// The page where a client is registered.
        package var page: String?
        /// The accepted forms, the best first.
        package var redirectURIs: [RedirectURIForm] = []
        /// Whether a client has a secret.
        package var secret = Secret.optional
        /// Further advice, one sentence each.
        package var notes: [String] = []

        package init() {}
    }
}
