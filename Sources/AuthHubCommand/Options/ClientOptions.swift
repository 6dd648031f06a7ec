import ArgumentParser
import AuthHubPrimitives
import OAuthProtocol

/// A client that is registered at the server; common to all commands that act as one.
struct ClientOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The client ID, as registered at the provider.", valueName: "id"))
    var clientID: String?

    @Option(
        help: ArgumentHelp(
            "A file with the client secret, or - for standard input. Secrets are never accepted as arguments.", valueName: "file|-"),
        completion: .file())
    var clientSecretFile: String?

    @Option(help: "The client authentication: none, basic or post (default: what the server's metadata allows, none without a secret).")
    var clientAuth: ClientAuthChoice?
}

extension ClientOptions {
    /// The option that gives the client's secret: with the file that was typed, or else a placeholder.
    var secretOption: String { "--client-secret-file \(clientSecretFile?.shellWord ?? "FILE")" }

    /// - Throws: ``Failure`` for an ID that no server issues.
    static func check(_ id: String) throws(Failure) {
        if !OAuthClient.isValidID(id) { throw .invalidClientID }
    }

    /// Reads the secret; nil if no file was typed.
    func secret() throws(Failure) -> Secret<String>? {
        guard let clientSecretFile else { return nil }
        return try InputFile.secret(in: clientSecretFile, called: "client secret")
    }
}

enum ClientAuthChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    case none, basic, post

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
        }
    }
}
