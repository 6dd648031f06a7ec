import ArgumentParser
import AsyncHTTPClientTransport
import AuthHub
import OAuthProtocol

/// The server that a client is registered at.
struct ClientServerOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The issuer's https URL.", valueName: "issuer"))
    var issuer: String

    @Flag(help: "Allow http if the server is on this machine (for development).")
    var allowInsecureLoopback = false

    /// - Throws: ``Failure`` for an issuer that cannot be one.
    func server(_ adapt: (inout ProviderProfile) -> Void = { _ in }) throws(Failure) -> AuthorizationServer {
        let settings = AccountSettings(provider: .issuer(issuer), clientID: "", allowsInsecureLoopback: allowInsecureLoopback)
        var profile = try settings.profile()
        adapt(&profile)
        return AuthorizationServer(profile, dependencies: Dependencies(transport: NetworkTransport.shared))
    }

    /// ` --allow-insecure-loopback` where it has to be typed.
    var words: String { allowInsecureLoopback ? "\(issuer) --allow-insecure-loopback" : issuer }

    var unknown: Failure {
        Failure(
            "not_registered", .failed, "this tool has not registered a client at \(issuer)", hint: "authhub client register \(words)")
    }
}
