import AuthHubPrimitives
import HTTPTypes

/// AniList's API for identifying the user: `Viewer`, and `User(id: $id)`. It understands nothing else of GraphQL.
struct GraphQLEndpoint: Sendable {
    let state: ServerState

    func respond(to request: IncomingRequest) -> Answer {
        guard let query = request.json?["query"]?.string else { return Self.error("The query must be a string.", status: .badRequest) }
        let viewer: DevelopmentUser?
        switch (request.bearerToken, state.authorizeResource(request)) {
        case (nil, _): viewer = nil
        case (_, .success(let holder)): viewer = holder.user
        // Like AniList: 400, not 401.
        case (_, .failure): return Self.error("Invalid token", status: .badRequest)
        }
        if query.contains("Viewer") {
            guard let viewer else { return Self.error("Unauthorized.", status: .unauthorized, data: ["Viewer": .null]) }
            return .json(["data": ["Viewer": object(viewer)]])
        }
        if query.contains("User") {
            guard let id = request.json?["variables"]?["id"]?.number?.int64, let user = state.user(id: Int(id)) else {
                return Self.error("Not Found.", status: .notFound, data: ["User": .null])
            }
            return .json(["data": ["User": object(user)]])
        }
        return Self.error("Cannot query this field.", status: .badRequest)
    }

    private func object(_ user: DevelopmentUser) -> JSONValue {
        [
            "id": .number(JSONNumber(Int64(user.id))), "name": .string(user.login),
            "siteUrl": .string("\(state.issuer)/user/\(user.login)"),
        ]
    }

    private static func error(_ message: String, status: HTTPResponse.Status, data: JSONValue = .null) -> Answer {
        .json(
            [
                "errors": [
                    [
                        "message": .string(message), "status": .number(JSONNumber(Int64(status.code))),
                        "locations": [["line": 1, "column": 1]],
                    ]
                ],
                "data": data,
            ], status: status)
    }
}
