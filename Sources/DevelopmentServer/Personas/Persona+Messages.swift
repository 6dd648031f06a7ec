public import AuthHubPrimitives

extension Persona {
    /// Introspection, registration and pushed requests.
    public struct MessageQuirks: Sendable, Hashable {
        /// Who may register a client.
        public enum Registration: Sendable, Hashable {
            case nobody
            case everybody
            /// Who has this token.
            case holders(of: Secret<String>)
        }

        /// Whether tokens can be asked about (RFC 7662).
        public var introspects = true
        public var registration = Registration.everybody
        /// Whether authorization requests can be pushed (RFC 9126).
        public var takesPushedRequests = true
        /// Whether they must be.
        public var requiresPushedRequests = false
        /// How long a pushed request is kept.
        public var pushedRequestLifetime = Duration.seconds(60)
        /// The kinds of access that can be asked for in detail (RFC 9396 §10).
        public var authorizationDetailTypes = ["account_information", "payment_initiation"]
        /// Actions that are never granted, however nicely they are asked for.
        public var refusedActions: Set<String> = ["delete"]

        public init() {}
    }
}
