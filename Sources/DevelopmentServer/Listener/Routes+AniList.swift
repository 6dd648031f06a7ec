import HTTPTypes

extension Routes {
    /// Returns the pages and the API of servers like AniList, if the persona has them.
    static func aniList(at state: ServerState) -> [Route] {
        var routes: [Route] = []
        if let path = state.persona.pinPath { routes.append(Route(path: path, methods: [.get], answer: PinPage.show)) }
        if let path = state.persona.graphQLPath {
            routes.append(Route(path: path, methods: [.post], answer: GraphQLEndpoint(state: state).respond))
        }
        return routes
    }
}
