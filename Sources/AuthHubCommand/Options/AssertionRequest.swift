import AuthHub
import AuthHubPrimitives
import OAuthProtocol

/// The assertions of another issuer that a sign-in uses instead of a page.
struct AssertionRequest: Sendable {
    /// The path of the file with the assertion that the platform issued.
    var file: String?
    /// The issuer of the user's identity provider, and the client there.
    var identityProvider: String?
    var identityClientID: String?
    var identityClientSecretFile: String?
    /// The path of the file with the user's ID token.
    var idTokenFile: String?

    /// Returns the source of the assertions; nil for other flows.
    ///
    /// - Parameter known: What is stored for the account, which the options may change.
    func settings(_ flow: FlowChoice, known: AssertionSettings?, _ transport: TransportPolicy) throws(Failure) -> AssertionSettings? {
        switch flow {
        case .jwtBearer:
            if let file { return .file(try Self.readable(file, called: "assertion")) }
            guard case .file? = known else {
                throw .usage("the file with the assertion is missing", hint: "add --assertion-file FILE")
            }
            return known
        case .identityAssertion:
            var (issuer, client, token): (String?, OAuthClient?, String?) = (nil, nil, nil)
            if case .identityProvider(let knownIssuer, let knownClient, let knownFile)? = known {
                (issuer, client, token) = (knownIssuer, knownClient, knownFile)
            }
            if let identityProvider {
                try transport.check(identityProvider, "the identity provider", hint: "add --identity-provider https://HOST")
                if issuer != identityProvider { client = nil }
                issuer = identityProvider
            }
            if let identityClientID {
                try ClientRequest.check(identityClientID)
                client = OAuthClient(id: identityClientID)
            }
            if let identityClientSecretFile {
                client?.secret = try InputFile.secret(in: identityClientSecretFile, called: "client secret")
            }
            if let idTokenFile { token = try Self.readable(idTokenFile, called: "ID token") }
            guard let issuer, let client, let token else {
                let missing = issuer == nil ? "--identity-provider URL" : client == nil ? "--identity-client-id ID" : "--id-token-file FILE"
                throw .usage("--flow id-jag needs an identity provider, the client there and the user's ID token", hint: "add \(missing)")
            }
            return .identityProvider(issuer: issuer, client: client, idTokenFile: token)
        case .browser, .device, .paste, .clientCredentials: return nil
        }
    }

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
