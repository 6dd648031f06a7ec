import AuthHubPrimitives

/// What the user or a response says about the protected resource that a sign-in begins at.
struct ResourceRequest: Sendable {
    /// The `WWW-Authenticate` field of a response that rejected a request.
    var challenge: String?
    /// The issuer to use if the resource names several, which also confirms it.
    var issuer: String?
    /// The URL of a published client metadata document.
    var clientIDDocument: String?
    var allowsPrivateServers = false
    /// Whether the resource's origin is the server of a resource without metadata.
    var assumesOrigin = false
    var skipsProofKeyCheck = false
    /// Whether requests for tokens do not name the resource.
    var omitsParameter = false

    /// The names of the options that were typed, except for the one that only allows something.
    var typed: [String] {
        [
            ("--challenge", challenge != nil), ("--issuer", issuer != nil), ("--client-id-document", clientIDDocument != nil),
            ("--without-resource-metadata", assumesOrigin), ("--without-pkce-check", skipsProofKeyCheck),
            ("--without-resource", omitsParameter),
        ].filter(\.1).map(\.0)
    }

    /// Returns the option ` --challenge TEXT`; empty if there is no challenge, or if it is too long to type.
    static func suffix(challenge: String) -> String {
        challenge.isEmpty || challenge.utf8.count > 2000 ? "" : " --challenge \(challenge.shellWord)"
    }
}
