/// How a provider ends a token's life.
public enum RevocationStyle: Sendable, Hashable {
    case none
    /// RFC 7009, where the server has a revocation endpoint.
    case standard
    /// `DELETE APPLICATIONS/CLIENT-ID/token` with the client's id and secret.
    case gitHub(applications: String)
    /// A request to an address of the provider's API that carries the access token as its authorization, and nothing else.
    case authorizedByToken(method: String, url: String)
}
