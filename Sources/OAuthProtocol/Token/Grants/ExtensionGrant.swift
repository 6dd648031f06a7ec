public import AuthHubPrimitives

/// A grant of a type that is not known here (RFC 6749 §4.5), such as an assertion (RFC 7521 §4.1).
///
/// The caller says what is sent; client authentication, limits and the judging of the answer are those of every other grant.
public struct ExtensionGrant: Sendable {
    /// An absolute URI.
    public let type: String
    /// What the grant needs besides; may hold secrets.
    public let parameters: Secret<FormParameters>
    /// Empty leaves it to the server.
    public let scope: Scope
    /// Where the token is to be used (RFC 8707).
    public let resources: [ResourceIndicator]

    /// What only the library sends.
    private static let reserved: Set<String> = [
        "grant_type", "client_id", "client_secret", "client_assertion", "client_assertion_type", "scope", "resource",
    ]

    /// - Parameters:
    ///   - type: The URI that names the grant.
    ///   - parameters: What the grant needs besides. May hold secrets, such as an assertion.
    /// - Throws: ``OAuthError`` with `.misuse` for a type that is no absolute URI, for a parameter that occurs twice, `audience` aside, and
    ///   for one that would stand in for the grant's type or the client's authentication, or has a typed place here.
    public init(
        type: String, parameters: Secret<FormParameters>, scope: Scope = [], resources: [ResourceIndicator] = []
    ) throws(OAuthError) {
        guard isAbsoluteURI(type) else { throw OAuthError(.misuse, "the type of the extension grant is not an absolute URI") }
        var seen: Set<[UInt8]> = []
        for parameter in parameters.reveal().parameters {
            let name = displayable(parameter.name, limit: 60)
            guard !parameter.name.isEmpty else { throw OAuthError(.misuse, "a parameter has no name") }
            guard !Self.reserved.contains(parameter.name.lowercased()) else {
                throw OAuthError(.misuse, "the parameter \(name) is already set by the request")
            }
            guard seen.insert(Array(parameter.name.utf8)).inserted || parameter.name == "audience" else {
                throw OAuthError(.misuse, "the parameter \(name) occurs twice")
            }
        }
        self.type = type
        self.parameters = parameters
        self.scope = scope
        self.resources = resources
    }
}

extension TokenRequest {
    /// Asks for tokens by an extension grant (RFC 6749 §4.5).
    ///
    /// - Throws: ``OAuthError`` with `.misuse` or `.configuration`, as for other grants.
    public static func extensionGrant(
        _ grant: ExtensionGrant, client: OAuthClient, at server: ProviderProfile
    ) throws(OAuthError) -> TokenRequest {
        var form: FormParameters = ["grant_type": grant.type]
        for parameter in grant.parameters.reveal().parameters { form.append(parameter.name, parameter.value) }
        form.append(grant.scope, at: server)
        form.append(resources: grant.resources)
        let authentication = try ClientAuthentication(client, at: server)
        return TokenRequest(
            message: try BackChannelRequest(form: form, to: try server.url(of: .token), as: authentication), scope: grant.scope,
            soleOrigin: MixUpDefence.soleOrigin(at: server, beginningAt: \.token))
    }
}
