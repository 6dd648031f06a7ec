import AuthHubPrimitives

/// A person's account at AniList. Its texts are cleaned of characters that no terminal should see.
public struct Viewer: Sendable, Hashable {
    /// Stays when the name changes.
    public let id: Int64
    public let name: String
    /// Their page, for people.
    public let page: String?

    init(json: JSONValue?) throws(AniListError) {
        guard let id = json?["id"]?.number?.int64, let name = json?["name"]?.string, !name.isEmpty else {
            throw AniListError(missing: "the user's id or name")
        }
        self.id = id
        self.name = displayable(name, limit: 100)
        page = json?["siteUrl"]?.string.map { displayable($0, limit: 500) }
    }
}

extension GraphQLRequest<Viewer> {
    /// The person who is signed in.
    public static let viewer = GraphQLRequest("query { Viewer { id name siteUrl } }") { data throws(AniListError) in
        try Viewer(json: data["Viewer"])
    }

    /// Anybody, by the id of their account.
    public static func user(id: Int64) -> Self {
        GraphQLRequest("query ($id: Int) { User(id: $id) { id name siteUrl } }", variables: ["id": .number(JSONNumber(id))]) {
            data throws(AniListError) in
            try Viewer(json: data["User"])
        }
    }
}
