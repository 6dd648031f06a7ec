import ArgumentParser
import AsyncHTTPClientTransport
import AuthHub
import OAuthProtocol

/// The server that a client is registered at.
struct ClientServerOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The issuer's https URL.", valueName: "issuer"))
    var issuer: String

    @OptionGroup var loopback: LoopbackOptions

    /// - Throws: ``Failure`` for an issuer that cannot be one.
    func server(_ adapt: (inout ProviderProfile) -> Void = { _ in }) throws(Failure) -> AuthorizationServer {
        var profile = try Failure.translating {
            try ProviderReference.issuer(issuer).profile(hasSecret: false, transport: loopback.transport)
        }
        adapt(&profile)
        return AuthorizationServer(profile, dependencies: Dependencies(transport: NetworkTransport.shared))
    }

    /// ` --allow-insecure-loopback` where it has to be typed.
    var words: String { issuer + loopback.suffix }

    var unknown: Failure {
        Failure(
            "not_registered", .failed, "this tool has not registered a client at \(issuer)", hint: "authhub client register \(words)")
    }
}
