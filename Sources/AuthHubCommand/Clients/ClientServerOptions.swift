import ArgumentParser
import AsyncHTTPClientTransport
import AuthHub
import OAuthProtocol

/// The server at which a client is registered.
struct ClientServerOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The issuer's https URL.", valueName: "issuer"))
    var issuer: String

    @Flag(help: "For development: allow http if the server is on this machine.")
    var allowInsecureLoopback = false

    /// Returns the server.
    ///
    /// - Throws: ``Failure`` if the issuer is invalid.
    func server(_ adapt: (inout ProviderProfile) -> Void = { _ in }) throws(Failure) -> AuthorizationServer {
        let settings = AccountSettings(provider: .issuer(issuer), clientID: "", allowsInsecureLoopback: allowInsecureLoopback)
        var profile = try settings.profile()
        adapt(&profile)
        return AuthorizationServer(profile, dependencies: Dependencies(transport: NetworkTransport.shared))
    }

    /// The arguments, with ` --allow-insecure-loopback` if required.
    var words: String { allowInsecureLoopback ? "\(issuer) --allow-insecure-loopback" : issuer }

    var unknown: Failure {
        Failure(
            "not_registered", .failed, "no client of this tool is registered at \(issuer)", hint: "authhub client register \(words)")
    }
}
