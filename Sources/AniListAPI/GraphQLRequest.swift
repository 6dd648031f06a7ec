public import AuthHubPrimitives

/// A GraphQL query or mutation, its variables, and a closure that reads its response.
///
///     let request = GraphQLRequest(
///         "query ($id: Int) { Media(id: $id) { title { romaji } } }", variables: ["id": 1]
///     ) { data throws(AniListError) in
///         guard let title = data["Media"]?["title"]?["romaji"]?.string else { throw AniListError(missing: "the title") }
///         return title
///     }
///
/// Put values that change from one request to the next into the variables: text that is inserted into a query can change what the query
/// means.
public struct GraphQLRequest<Answer: Sendable>: Sendable {
    /// The GraphQL text of the query or mutation, which is the same for all values of its variables.
    package let query: String
    /// The variables by name, without the dollar sign.
    package let variables: [String: JSONValue]
    let read: @Sendable (JSONValue) throws(AniListError) -> Answer

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - query: The text of the query or mutation, which is the same for all values of its variables.
    ///   - variables: The values of the variables, by name without the dollar sign.
    ///   - read: Creates the result from the `data` member of the response.
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
