import AuthHubPrimitives

/// The clients that have registered themselves (RFC 7591). The oldest goes when there are too many.
struct RegisteredClients: Sendable {
    struct Entry: Sendable {
        var client: DevelopmentClient
        /// What the server has noted, without what names the client.
        var metadata: JSONObject
        /// Lets its holder read, change and delete the registration (RFC 7592).
        var accessToken: Secret<String>
        let issuedAt: Int64
    }

    private var entries = LimitedTable<String, Entry>(limit: 1_000)

    subscript(id: String) -> Entry? {
        get { entries[id] }
        set { entries[id] = newValue }
    }
}
