import HTTPTypes

extension Routes {
    static func device(at state: ServerState) -> [Route] {
        guard let habits = state.persona.device else { return [] }
        let page = DevicePage(state: state, habits: habits)
        return [
            Route(
                path: habits.authorizationPath, methods: [.post],
                answer: DeviceAuthorizationEndpoint(state: state, habits: habits).respond),
            Route(path: habits.pagePath, methods: [.get], answer: page.begin),
            Route(path: page.confirmPath, methods: [.get], answer: page.confirm),
            Route(path: page.sessionPath, methods: [.post], answer: page.signIn),
            Route(path: page.consentPath, methods: [.post], answer: page.decide),
        ]
    }
}
