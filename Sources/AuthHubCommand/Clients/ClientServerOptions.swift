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
    func server() throws(Failure) -> AuthorizationServer {
        let profile = try Failure.translating {
            try ProviderReference.issuer(issuer).profile(hasSecret: false, transport: loopback.transport)
        }
        return AuthorizationServer(profile, dependencies: ToolNetwork.current.dependencies())
    }

    /// The arguments, with ` --allow-insecure-loopback` if required.
    var words: String { key.words + loopback.suffix }
}
