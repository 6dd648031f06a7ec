import ArgumentParser
import AuthHub
import AuthHubPrimitives
import JOSE

struct JWKSCommand: NetworkCommand {
    static let configuration = CommandConfiguration(
        commandName: "jwks",
        abstract: "Show the public keys that a server signs tokens with.",
        discussion: """
            Requests a JSON Web Key Set (RFC 7517), or the one that an issuer's metadata names. Shows the keys that AuthHub would verify \
            tokens with, and their thumbprints (RFC 7638). Keys that cannot be used are warnings.

            Examples:
              authhub jwks https://login.example.com
              authhub jwks https://login.example.com/keys.json
            """)

    @Argument(help: ArgumentHelp("The https URL of a key set or of an issuer.", valueName: "url"))
    var url: String

    @OptionGroup var loopback: LoopbackOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        try loopback.check(url, "the URL", hint: "authhub jwks https://HOST/PATH")
        let report: KeySetReport
        do throws(SessionError) {
            report = try await KeySetSource.either(url: url).read(
                ServerDiscovery(dependencies: ToolNetwork.current.dependenciesForThirdParties, transport: loopback.transport))
        } catch {
            throw Failure(keys: error, command: "authhub jwks \(url.shellWord)\(loopback.suffix)")
        }
        switch console.format {
        case .json: console.put(report.json)
        case .text:
            if !report.keys.keys.isEmpty { console.put(report.text(console.dataStyle, width: console.columns)) }
            console.say("\(Words.count(report.keys.keys.count, "key")) at \(displayable(report.url, limit: 500))")
            for warning in report.warnings { console.warn(displayable(warning, limit: 1000)) }
        }
    }
}
