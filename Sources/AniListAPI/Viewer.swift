import AuthHubPrimitives

/// An AniList account. The strings are sanitized for display in a terminal.
public struct Viewer: Sendable, Hashable {
    /// The ID, which stays the same if the name changes.
    public let id: Int64
    /// The user name, which the user can change.
    public let name: String
    /// The URL of the user's web page.
    public let page: String?

    init(json: JSONValue?) throws(AniListError) {
        guard let id = json?["id"]?.number?.int64, let name = json?["name"]?.displayString, !name.isEmpty else {
            throw AniListError(missing: "the user's id or name")
        }
        self.id = id
        self.name = displayable(name, limit: 100)
        page = json?["siteUrl"]?.displayString.map { displayable($0, limit: 500) }
    }
}

extension GraphQLRequest<Viewer> {
    /// A request for the signed-in user.
    public static let viewer = GraphQLRequest("query { Viewer { id name siteUrl } }") { data throws(AniListError) in
        try Viewer(json: data["Viewer"])
    }

    /// Creates a request for the user with this account ID.
    public static func user(id: Int64) -> Self {
        GraphQLRequest("query ($id: Int) { User(id: $id) { id name siteUrl } }", variables: ["id": .number(JSONNumber(id))]) {
            data throws(AniListError) in
            try Viewer(json: data["User"])
        }
    }
}
