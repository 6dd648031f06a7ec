package import AuthHubPrimitives

extension Persona {
    /// The quirks of introspection, registration and pushed requests.
    package struct MessageQuirks: Sendable, Hashable {
        /// The clients that may register.
        package enum Registration: Sendable, Hashable {
            case nobody
            case everybody
            /// Holders of this token.
            case holders(of: Secret<String>)
        }

        /// Whether tokens can be introspected (RFC 7662).
        package var introspects = true
        /// The clients that may register at `/register` (RFC 7591); by default, all.
        package var registration = Registration.everybody
        /// Whether authorization requests can be pushed (RFC 9126).
        package var takesPushedRequests = true
        /// Whether they must be pushed.
        package var requiresPushedRequests = false
        /// The lifetime of a pushed request.
        package var pushedRequestLifetime = Duration.seconds(60)
        /// The types of authorization details that can be requested (RFC 9396 §10).
        package var authorizationDetailTypes = ["account_information", "payment_initiation"]
        /// Actions that are never granted.
        package var refusedActions: Set<String> = ["delete"]

        /// Creates the quirks of a server that supports introspection, open registration and optional pushed requests.
        package init() {}
    }
}
