import HTTPTypes

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
