import ArgumentParser
import AuthHub
import OAuthProtocol

/// The server at which a client is registered.
struct ClientServerOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The issuer's https URL.", valueName: "issuer"))
    var issuer: String

    @OptionGroup var loopback: LoopbackOptions

    var key: RegistrationKey { RegistrationKey(issuer: issuer) }

    /// Returns the server.
    ///
    /// - Throws: ``Failure`` if the issuer is invalid.
    func server(_ adapt: (inout ProviderProfile) -> Void = { _ in }) throws(Failure) -> AuthorizationServer {
        var profile = try Failure.translating {
            try ProviderReference.issuer(issuer).profile(hasSecret: false, transport: loopback.transport)
        }
        adapt(&profile)
        return AuthorizationServer(profile, dependencies: ToolNetwork.current.dependencies())
    }

    /// The arguments, with ` --allow-insecure-loopback` if required.
    var words: String { key.words + loopback.suffix }
}
