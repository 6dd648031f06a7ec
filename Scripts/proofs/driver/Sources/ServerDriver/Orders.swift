import DevelopmentServer

/// The first argument: which server.
struct Setup: Decodable {
    let persona: String
    /// How long access tokens are good for, in seconds; as long as GitHub's unless given.
    var accessTokens: Int?
    var repositories: Int?
    /// The redirect URI of the only client, which has no secret; the persona's own clients unless given.
    var redirectURI: String?
}

extension Setup {
    func configuration() throws -> DevelopmentAuthorizationServer.Configuration {
        guard let persona = DevelopmentAuthorizationServer.Persona.known(persona) else { throw UnknownPersona() }
        var configuration = DevelopmentAuthorizationServer.Configuration(persona: persona)
        if let accessTokens { configuration.lifetimes.accessToken = .seconds(accessTokens) }
        if let repositories { configuration.repositoryCount = repositories }
        if let redirectURI {
            configuration.clients = [DevelopmentAuthorizationServer.Client(id: "1001", name: "Example App", redirectURIs: [redirectURI])]
        }
        return configuration
    }
}

/// One line of input.
enum Order: String {
    /// Ends every connection without an answer, until it is up again. What it knows is kept.
    case down
    case up
    /// All that was granted is taken back.
    case revoke
    /// Nothing: for the line of output alone.
    case count
}

struct UnknownPersona: Error {}

struct UnknownOrder: Error {}

/// One line of output: how many requests there have been so far. Before the first is one that describes the server.
struct Counts: Encodable {
    /// For the first page of a sign-in.
    let pages: Int
    /// With a code, for tokens.
    let signIns: Int
    /// Granted ones.
    let refreshes: Int
    let revocations: Int
    /// For a page of repositories.
    let lists: Int
}
