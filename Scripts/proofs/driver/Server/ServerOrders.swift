import DevelopmentServer

extension ServerDriver {
    /// The first argument: the configuration of the server.
    struct Setup: Decodable {
        let persona: String
        /// The lifetime of access tokens in seconds; GitHub's if nil.
        var accessTokens: Int?
        var repositories: Int?
        /// The redirect URI of the only client, which has no secret; the persona's own clients if nil.
        var redirectURI: String?
    }
}

extension ServerDriver.Setup {
    func configuration() throws -> DevelopmentServerConfiguration {
        guard let persona = Persona.known(persona) else { throw UnknownPersona() }
        var configuration = DevelopmentServerConfiguration(persona: persona)
        if let accessTokens { configuration.lifetimes.accessToken = .seconds(accessTokens) }
        if let repositories { configuration.repositoryCount = repositories }
        if let redirectURI {
            configuration.clients = [DevelopmentClient(id: "1001", name: "Example App", redirectURIs: [redirectURI])]
        }
        return configuration
    }
}

/// A line of input.
enum Order: String {
    /// Closes every connection without a response, until the server is up again. Its state is kept.
    case down
    case up
    /// Revokes everything that was granted.
    case revoke
    /// Does nothing except print the line of output.
    case count
}

struct UnknownPersona: Error {}

struct UnknownOrder: Error {}

/// A line of output: the number of requests so far. The first line describes the server instead.
struct Counts: Encodable {
    /// The requests for the first page of a sign-in.
    let pages: Int
    /// The token requests with a code.
    let signIns: Int
    /// The granted refreshes.
    let refreshes: Int
    let revocations: Int
    /// The requests for a page of repositories.
    let lists: Int
}
