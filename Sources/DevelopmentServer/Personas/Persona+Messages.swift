public import AuthHubPrimitives

extension Persona {
    /// The quirks of introspection, registration and pushed requests.
    public struct MessageQuirks: Sendable, Hashable {
        /// The clients that may register.
        public enum Registration: Sendable, Hashable {
            case nobody
            case everybody
            /// Holders of this token.
            case holders(of: Secret<String>)
        }

        /// Whether tokens can be introspected (RFC 7662).
        public var introspects = true
        /// The clients that may register at `/register` (RFC 7591); by default, all.
        public var registration = Registration.everybody
        /// Whether authorization requests can be pushed (RFC 9126).
        public var takesPushedRequests = true
        /// Whether they must be pushed.
        public var requiresPushedRequests = false
        /// The lifetime of a pushed request.
        public var pushedRequestLifetime = Duration.seconds(60)
        /// The types of authorization details that can be requested (RFC 9396 §10).
        public var authorizationDetailTypes = ["account_information", "payment_initiation"]
        /// Actions that are never granted.
        public var refusedActions: Set<String> = ["delete"]

        /// Creates the quirks of a server that supports introspection, open registration and optional pushed requests.
        public init() {}
    }
}
