import ArgumentParser
import AuthHub
import AuthHubPrimitives
import OAuthProtocol

/// The options of flows in which another issuer vouches for the user or the program.
struct AssertionOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "For --flow jwt-bearer: a file with the token that the platform issued; read again for each access token.", valueName: "file"),
        completion: .file())
    var assertionFile: String?

    @Option(help: ArgumentHelp("For --flow id-jag: the issuer of the user's identity provider.", valueName: "url"))
    var identityProvider: String?

    @Option(
        help: ArgumentHelp("For --flow id-jag: the client ID at the identity provider.", valueName: "id"),
        transform: { $0.withoutPasteRemnants })
    var identityClientID: String?

    @Option(
        help: ArgumentHelp("For --flow id-jag: a file with the client secret for the identity provider.", valueName: "file|-"),
        completion: .file())
    var identityClientSecretFile: String?

    @Option(
        help: ArgumentHelp(
            "For --flow id-jag: a file with the user's ID token; read again for each access token.", valueName: "file"),
        completion: .file())
    var idTokenFile: String?
}

extension AssertionOptions {
    /// The names of the options that were typed.
    private var typed: [String] {
        [
            ("--assertion-file", assertionFile), ("--identity-provider", identityProvider), ("--identity-client-id", identityClientID),
            ("--identity-client-secret-file", identityClientSecretFile), ("--id-token-file", idTokenFile),
        ].filter { $0.1 != nil }.map(\.0)
    }

    private static let identityOptions: Set<String> = [
        "--identity-provider", "--identity-client-id", "--identity-client-secret-file", "--id-token-file",
    ]

    /// Checks that the options belong to the flow.
    func check(_ flow: FlowChoice) throws {
        let allowed: Set<String> =
            switch flow {
            case .jwtBearer: ["--assertion-file"]
            case .identityAssertion: Self.identityOptions
            default: []
            }
        if let option = typed.first(where: { !allowed.contains($0) }) {
            throw ValidationError("\(option) needs --flow \(Self.identityOptions.contains(option) ? "id-jag" : "jwt-bearer").")
        }
    }

    var request: AssertionRequest {
        AssertionRequest(
            file: assertionFile, identityProvider: identityProvider, identityClientID: identityClientID,
            identityClientSecretFile: identityClientSecretFile, idTokenFile: idTokenFile)
    }
}
