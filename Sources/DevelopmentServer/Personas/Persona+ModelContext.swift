extension Persona {
    /// An OpenID provider that also protects a server of the Model Context Protocol, at `/mcp`.
    public static let modelContext = {
        var persona = openID
        persona.name = "mcp"
        persona.readsClientDocuments = true
        persona.scopes += modelContextScopes + ["mcp:more"]
        return persona
    }()

    /// The scope that every request to `/mcp` needs, and that of the tool that changes something.
    static let modelContextScopes = ["mcp", "mcp:write"]
}
