public import AuthHubPrimitives

/// A grant for which the library has no separate type (RFC 6749 §4.5), such as an assertion grant (RFC 7521 §4.1).
///
/// You choose the parameters. Client authentication, limits and checks of the response are the same as for other grants.
public struct ExtensionGrant: Sendable {
    /// The grant type, an absolute URI.
    package let type: String
    /// The other parameters of the grant. They may hold secrets.
    package let parameters: Secret<FormParameters>
    /// The requested scope; empty leaves the choice to the server.
    package let scope: Scope
    /// The APIs that the token is for (RFC 8707).
    package let resources: [ResourceIndicator]

    /// The parameters that only the library sends.
    private static let reserved: Set<String> = [
        "grant_type", "client_id", "client_secret", "client_assertion", "client_assertion_type", "scope", "resource",
    ]

    /// Creates an extension grant.
    ///
    /// - Parameters:
    ///   - type: The grant type: an absolute URI.
    ///   - parameters: The additional parameters of the grant. They may contain secrets, such as an assertion.
    ///   - scope: The requested scope; if empty, the server chooses it.
    ///   - resources: The APIs that the token is for (RFC 8707).
    /// - Throws: ``OAuthError`` with `.misuse` if the type is not an absolute URI; if a parameter other than `audience` occurs twice or has
    ///   no name; or if a parameter is one that the library sets itself, such as `grant_type`, `client_id` or `scope`.
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
    /// Requests tokens with an extension grant (RFC 6749 §4.5).
    ///
    /// - Throws: ``OAuthError`` with `.misuse` or `.configuration`, as for other grants.
    package static func extensionGrant(
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
