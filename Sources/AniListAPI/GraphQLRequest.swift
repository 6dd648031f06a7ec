public import AuthHubPrimitives

/// A query or mutation of GraphQL, its variables, and how its answer is read.
///
///     let request = GraphQLRequest(
///         "query ($id: Int) { Media(id: $id) { title { romaji } } }", variables: ["id": 1]
///     ) { data throws(AniListError) in
///         guard let title = data["Media"]?["title"]?["romaji"]?.string else { throw AniListError(missing: "the title") }
///         return title
///     }
///
/// What differs from one request to the next belongs into the variables: text that is put into a query can change what it asks.
public struct GraphQLRequest<Answer: Sendable>: Sendable {
    public let query: String
    public let variables: [String: JSONValue]
    let read: @Sendable (JSONValue) throws(AniListError) -> Answer

    /// - Parameters:
    ///   - query: In GraphQL, the same for every value of its variables.
    ///   - variables: By name, without the dollar sign.
    ///   - read: Makes the answer of the member `data`.
    public init(
        _ query: String, variables: [String: JSONValue] = [:], read: @escaping @Sendable (JSONValue) throws(AniListError) -> Answer
    ) {
        self.query = query
        self.variables = variables
        self.read = read
    }

    var json: JSONValue {
        var members = JSONObject()
        for (name, value) in variables.sorted(by: { $0.key < $1.key }) { members[name] = value }
        return ["query": .string(query), "variables": .object(members)]
    }
}
