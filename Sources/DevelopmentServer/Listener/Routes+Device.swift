import HTTPTypes

extension Routes {
    static func device(at state: ServerState) -> [Route] {
        guard let quirks = state.persona.device else { return [] }
        let page = DevicePage(state: state, quirks: quirks)
        return [
            Route(
                path: quirks.authorizationPath, methods: [.post],
                answer: DeviceAuthorizationEndpoint(state: state, quirks: quirks).respond),
            Route(path: quirks.pagePath, methods: [.get], answer: page.begin),
            Route(path: page.confirmPath, methods: [.get], answer: page.confirm),
            Route(path: page.sessionPath, methods: [.post], answer: page.signIn),
            Route(path: page.consentPath, methods: [.post], answer: page.decide),
        ]
    }
}
