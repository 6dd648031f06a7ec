import ArgumentParser
import AuthHub
import OAuthProtocol

/// The server or the tenant of a provider that has several.
struct ProviderPlace: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The URL of your own server, such as GitHub Enterprise, GitLab or Mastodon: https://HOST. With --allow-insecure-loopback, the URL of a development server that simulates the provider.",
            valueName: "url"))
    var web: String?

    @Option(help: ArgumentHelp("The Microsoft tenant whose accounts may sign in: a tenant ID, a domain, or common.", valueName: "name"))
    var tenant: String?
}

extension ProviderPlace {
    /// Returns the provider that the user means by a word.
    ///
    /// - Throws: ``Failure`` if the name is unknown.
    static func provider(_ word: String) throws(Failure) -> ProviderReference {
        if word.contains("://") { return .issuer(word) }
        switch try NamedProvider(word) {
        case .known(let known): return .builtIn(known.name)
        case .added(let profile): return .described(profile)
        }
    }
}
