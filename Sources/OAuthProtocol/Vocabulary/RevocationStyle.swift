/// How a provider revokes tokens.
package enum RevocationStyle: Sendable, Hashable {
    case none
    /// RFC 7009, if the server has a revocation endpoint.
    case standard
    /// `DELETE APPLICATIONS/CLIENT-ID/token`, with the client ID and secret.
    case gitHub(applications: String)
    /// A request to a URL of the provider's API that the access token itself authorizes.
    case authorizedByToken(method: String, url: String)
}
