public import AuthHubPrimitives
import HTTPTypes

extension DevelopmentAuthorizationServer.Persona {
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

        public init() {}
    }
}

extension ServerState {
    /// Returns the metadata with the members for the persona's message endpoints (RFC 8414 §2, RFC 9126 §5, RFC 9396 §10).
    func withMessages(_ metadata: JSONValue) -> JSONValue {
        guard var members = metadata.object else { return metadata }
        let quirks = persona.messages
        let grants: [JSONValue] = ["client_credentials", .string(TokenEndpoint.tokenExchangeGrantType)]
        members["grant_types_supported"] = .array((members["grant_types_supported"]?.array ?? []) + grants)
        members["authorization_details_types_supported"] = .array(quirks.authorizationDetailTypes.map { .string($0) })
        if quirks.introspects {
            members["introspection_endpoint"] = .string(issuer + "/introspect")
            members["introspection_endpoint_auth_methods_supported"] = ["client_secret_basic", "client_secret_post"]
        }
        if quirks.registration != .nobody { members["registration_endpoint"] = .string(issuer + "/register") }
        if quirks.takesPushedRequests { members["pushed_authorization_request_endpoint"] = .string(issuer + "/par") }
        if quirks.requiresPushedRequests { members["require_pushed_authorization_requests"] = true }
        return .object(members)
    }
}

extension Routes {
    static func messages(at state: ServerState) -> [Route] {
        let quirks = state.persona.messages
        var routes: [Route] = []
        if quirks.introspects {
            routes.append(Route(path: "/introspect", methods: [.post], answer: IntrospectionEndpoint(state: state).respond))
        }
        if quirks.registration != .nobody {
            let registration = RegistrationEndpoint(state: state)
            routes.append(Route(path: "/register", methods: [.post], answer: registration.register))
            routes.append(Route(path: "/register/*", methods: [.get, .put, .delete], answer: registration.manage))
        }
        if quirks.takesPushedRequests {
            routes.append(Route(path: "/par", methods: [.post], answer: PushedAuthorizationEndpoint(state: state).respond))
        }
        return routes
    }
}
