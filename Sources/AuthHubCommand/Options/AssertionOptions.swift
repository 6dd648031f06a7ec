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

    /// Returns the source of the assertions; nil for other flows.
    ///
    /// - Parameter known: What is stored for the account, which the options may change.
    func settings(_ flow: FlowChoice, known: AssertionSettings?, _ loopback: LoopbackOptions) throws(Failure) -> AssertionSettings? {
        switch flow {
        case .jwtBearer:
            if let assertionFile { return .file(try Self.readable(assertionFile, called: "assertion")) }
            guard case .file? = known else {
                throw .usage("the file with the assertion is missing", hint: "add --assertion-file FILE")
            }
            return known
        case .identityAssertion:
            var (issuer, client, file): (String?, OAuthClient?, String?) = (nil, nil, nil)
            if case .identityProvider(let knownIssuer, let knownClient, let knownFile)? = known {
                (issuer, client, file) = (knownIssuer, knownClient, knownFile)
            }
            if let identityProvider {
                try loopback.check(identityProvider, "the identity provider", hint: "add --identity-provider https://HOST")
                if issuer != identityProvider { client = nil }
                issuer = identityProvider
            }
            if let identityClientID {
                try ClientOptions.check(identityClientID)
                client = OAuthClient(id: identityClientID)
            }
            if let identityClientSecretFile {
                client?.secret = try InputFile.secret(in: identityClientSecretFile, called: "client secret")
            }
            if let idTokenFile { file = try Self.readable(idTokenFile, called: "ID token") }
            guard let issuer, let client, let file else {
                let missing = issuer == nil ? "--identity-provider URL" : client == nil ? "--identity-client-id ID" : "--id-token-file FILE"
                throw .usage("--flow id-jag needs an identity provider, the client there and the user's ID token", hint: "add \(missing)")
            }
            return .identityProvider(issuer: issuer, client: client, idTokenFile: file)
        case .browser, .device, .paste, .clientCredentials: return nil
        }
    }
}

extension AssertionOptions {
    /// Returns the absolute path of a file that can be read now.
    private static func readable(_ path: String, called name: String) throws(Failure) -> String {
        _ = try InputFile.secret(in: path, called: name)
        return InputFile.absolute(path)
    }
}

extension AssertionSettings {
    /// The flow that obtains the assertions.
    var flow: FlowChoice {
        switch self {
        case .file: .jwtBearer
        case .identityProvider: .identityAssertion
        }
    }

    /// The option that names the file.
    var fileOption: String {
        switch self {
        case .file: "--assertion-file"
        case .identityProvider: "--id-token-file"
        }
    }

    /// The options that name the same source, for a command line.
    var words: [String] {
        switch self {
        case .file(let path): ["--assertion-file", path]
        case .identityProvider(let issuer, let client, let file):
            ["--identity-provider", issuer, "--identity-client-id", client.id]
                + (client.secret == nil ? [] : ["--identity-client-secret-file", "FILE"]) + ["--id-token-file", file]
        }
    }
}

extension AccountSettings {
    /// The flow of an account that signs in without a page; nil for all others.
    var flowWithoutPage: FlowChoice? { assertion?.flow ?? (usesClientCredentials ? .clientCredentials : nil) }
}
