extension ProviderQuirks {
    /// What a person has to know to register a client.
    public struct RegistrationGuide: Sendable, Hashable {
        /// The forms of redirect URIs that the provider takes.
        public enum RedirectURIForm: String, Sendable, Hashable, CaseIterable {
            /// `http://127.0.0.1/callback`, with any port at sign-in (RFC 8252 §7.3).
            case loopbackAnyPort = "loopback_any_port"
            /// `http://127.0.0.1:PORT/callback`, with the registered port alone.
            case loopbackFixedPort = "loopback_fixed_port"
            /// `http://localhost…` alone, not the address.
            case localhost
            /// `com.example.app:/callback`.
            case customScheme = "custom_scheme"
            case https
        }

        /// Whether clients without a secret can be registered.
        public enum Secret: String, Sendable, Hashable, CaseIterable {
            case required
            /// Only for some kinds of clients.
            case optional
            /// None is issued.
            case none
        }

        /// What the provider's documentation is called.
        public var documentation: String?
        /// Where a client is registered.
        public var page: String?
        /// Those that are taken, the best first.
        public var redirectURIs: [RedirectURIForm] = []
        /// Whether there is a client secret.
        public var secret = Secret.optional
        /// What else is worth knowing, a sentence each.
        public var notes: [String] = []

        public init() {}
    }
}
