import AuthHubPrimitives

/// The clients that have registered themselves (RFC 7591). The oldest is removed when there are too many.
struct RegisteredClients: Sendable {
    struct Entry: Sendable {
        var client: DevelopmentClient
        /// The stored metadata, without the client's ID and secret.
        var metadata: JSONObject
        /// The token with which its holder can read, change and delete the registration (RFC 7592).
        var accessToken: Secret<String>
        let issuedAt: Int64
    }

    private var entries = LimitedTable<String, Entry>(limit: 1_000)

    subscript(id: String) -> Entry? {
        get { entries[id] }
        set { entries[id] = newValue }
    }
}
