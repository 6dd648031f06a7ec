import ArgumentParser
import AuthHubPrimitives
import OAuthProtocol

/// A client that is registered at the server; common to all commands that act as one.
struct ClientOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The client ID, as registered at the provider.", valueName: "id"), transform: { $0.withoutPasteRemnants })
    var clientID: String?

    @Option(
        help: ArgumentHelp(
            "A file with the client secret, or - for standard input. Secrets are never accepted as arguments.", valueName: "file|-"),
        completion: .file())
    var clientSecretFile: String?

    @Option(
        help: ArgumentHelp(
            "A file with the private key that the client authenticates with (PEM or a JSON Web Key), or - for standard input.",
            valueName: "file|-"),
        completion: .file(extensions: ["pem", "key", "json"]))
    var privateKeyFile: String?

    @Option(
        help:
            "The client authentication: none, basic, post, private-key-jwt or client-secret-jwt (default: what the server's metadata allows, none without a secret or key)."
    )
    var clientAuth: ClientAuthChoice?

    func validate() throws {
        guard clientSecretFile == nil || privateKeyFile == nil else {
            throw ValidationError("--client-secret-file and --private-key-file cannot be used together; a client authenticates in one way.")
        }
    }
}

extension ClientOptions {
    /// Whether the secret or the key is read from standard input.
    var readsStandardInput: Bool { clientSecretFile == "-" || privateKeyFile == "-" }

    var request: ClientRequest {
        ClientRequest(
            id: clientID, secretFile: clientSecretFile, privateKeyFile: privateKeyFile, authentication: clientAuth?.method)
    }
}

enum ClientAuthChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    case none, basic, post
    case privateKeyJWT = "private-key-jwt"
    case clientSecretJWT = "client-secret-jwt"

    /// Creates the choice for a method; nil if no choice corresponds to it.
    init?(_ method: ClientAuthenticationMethod) {
        guard let choice = Self.allCases.first(where: { $0.method == method }) else { return nil }
        self = choice
    }

    var method: ClientAuthenticationMethod {
        switch self {
        case .none: .none
        case .basic: .basic
        case .post: .post
        case .privateKeyJWT: .privateKeyJWT
        case .clientSecretJWT: .clientSecretJWT
        }
    }
}
