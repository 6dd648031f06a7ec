import ArgumentParser
import AuthHub
import AuthHubPrimitives
import OAuthProtocol
import Platform

struct ClientRegisterCommand: NetworkCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Register a client and store its credentials.",
        discussion: """
            The client is a native app without a secret, unless you add --grant client-credentials or --client-auth. Its secret \
            and its registration access token are stored in the credential store and never printed.
            """)

    @OptionGroup(title: "Server") var server: ClientServerOptions

    @Option(help: ArgumentHelp("The name that users see when they sign in.", valueName: "text"))
    var name = "AuthHub"

    @Option(
        name: .customLong("redirect-uri"),
        help: ArgumentHelp(
            "A redirect URI; may be repeated (default: http://127.0.0.1/HASH/callback, for this issuer only).",
            valueName: "uri"))
    var redirectURIs: [String] = []

    @Option(help: ArgumentHelp("The scopes that the client may request, separated by commas or spaces.", valueName: "scopes"))
    var scope: String?

    @Option(help: "The grant: code if users sign in, client-credentials if the client acts for itself.")
    var grant = GrantChoice.code

    @Option(
        help:
            "The client authentication (default: none for code, basic for client-credentials); private-key-jwt needs --metadata with the public key (jwks), as \"authhub client document\" writes it."
    )
    var clientAuth: ClientAuthChoice?

    @Option(
        help: ArgumentHelp(
            "A JSON file with more client metadata (RFC 7591), or - for standard input.", valueName: "file|-"),
        completion: .file(extensions: ["json"]))
    var metadata: String?

    @Option(
        help: ArgumentHelp("A file with a software statement signed by an issuer that the server trusts.", valueName: "file|-"),
        completion: .file())
    var softwareStatementFile: String?

    @Option(
        help: ArgumentHelp(
            "A file with an initial access token, if the server requires one, or - for standard input.",
            valueName: "file|-"),
        completion: .file())
    var initialAccessTokenFile: String?

    @Option(help: ArgumentHelp("Also write the client secret into this new file.", valueName: "file"), completion: .file())
    var secretFile: String?

    @OptionGroup var storage: StoreOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    enum GrantChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
        case code
        case clientCredentials = "client-credentials"
    }

    func perform(_ console: Console) async throws(Failure) {
        let book = RegistrationBook(store: try ToolStore.open(storage))
        if let known = try await book.registration(server.key) {
            throw Failure(
                "already_registered", .failed,
                "this tool is already registered at \(server.issuer), as \(RegistrationReport(server.key, known).clientID)",
                hint: "authhub client delete \(server.words) first")
        }
        if let added = try await ClientBook(store: book.store).all().first(where: { $0.provider == server.issuer }) {
            throw Failure(
                "already_registered", .failed,
                "logins at \(server.issuer) use the client \(displayable(added.client.id, limit: 200)), which you added",
                hint: "authhub client remove \(added.words)\(storage.suffix) first")
        }
        let metadata = try clientMetadata()
        let authorizationServer = try server.server()
        let token = try initialAccessTokenFile.map { file throws(Failure) in try InputFile.secret(in: file) }
        let registration = try await register(metadata, with: token, at: authorizationServer)
        try await keep(registration, in: book, at: authorizationServer)
        let statement = metadata.softwareStatement.map { Secret($0) }
        let report = RegistrationReport(
            server.key, registration, secrets: [token, statement].compactMap(\.self))
        report.warn(on: console)
        if let secretFile, let secret = registration.clientSecret { try NewSecretFile.write(secret, to: secretFile) }
        switch console.format {
        case .json: console.put(report.json)
        case .text:
            console.put(report.text(console.dataStyle))
            let flow = grant == .clientCredentials ? " --flow client-credentials" : ""
            let key = registration.metadata.tokenEndpointAuthenticationMethod == .privateKeyJWT ? " --private-key-file FILE" : ""
            console.say("Next: authhub login \(server.words)\(flow)\(key)")
            if registration.differences.contains(where: { $0.name == "redirect_uris" }) {
                console.say("If you cannot use these redirect URIs: authhub client delete \(server.words)")
            }
        }
    }
}

extension ClientRegisterCommand {
    private func register(
        _ metadata: ClientMetadata, with token: Secret<String>?, at authorizationServer: AuthorizationServer
    ) async throws(Failure) -> ClientRegistration {
        let provider: ProviderProfile
        do throws(SessionError) {
            provider = try await authorizationServer.provider(needing: [.registration])
        } catch {
            if error.code == .misconfigured { throw notOffered }
            throw Failure(error, registering: server.words)
        }
        guard provider.endpoints?.registration != nil else { throw notOffered }
        let registration: ClientRegistration
        do throws(SessionError) {
            registration = try await authorizationServer.register(metadata, initialAccessToken: token)
        } catch {
            throw Failure(error, registering: server.words)
        }
        // A client with keys gets them when it signs in.
        guard metadata.keySet == nil, metadata.keySetURI == nil else { return registration }
        do throws(OAuthError) {
            try registration.checkUse(at: provider, at: Date())
        } catch {
            let isDeleted = (try? await authorizationServer.delete(registration)) != nil
            throw Failure(
                "server_misbehaved", .failed,
                "the client that the server registered cannot be used, and \(isDeleted ? "was deleted there" : "was not kept"): \(error.explanation)",
                hint: "authhub help client register")
        }
        return registration
    }

    private func keep(
        _ registration: ClientRegistration, in book: RegistrationBook, at authorizationServer: AuthorizationServer
    ) async throws(Failure) {
        do throws(Failure) {
            try await book.save(registration, for: server.key)
        } catch {
            // Otherwise, no one could ever use or delete it.
            try? await authorizationServer.delete(registration)
            throw error
        }
    }

    private var notOffered: Failure {
        Failure(
            "not_offered", .failed, "\(server.issuer) does not let clients register themselves",
            hint: "register a client on the server's website, then: authhub login \(server.words) --client-id ID")
    }

    private func clientMetadata() throws(Failure) -> ClientMetadata {
        var metadata = try metadata.map { file throws(Failure) in try ClientMetadata(file: file) } ?? ClientMetadata()
        metadata.clientName = name
        if let scope { metadata.scope = Scope(scope, separators: [" ", ","]) }
        switch grant {
        case .code:
            metadata.redirectURIs = redirectURIs.isEmpty ? [RedirectURI.loopback(forClientsOf: server.issuer).description] : redirectURIs
            metadata.grantTypes = metadata.grantTypes ?? ["authorization_code", "refresh_token"]
            metadata.responseTypes = metadata.responseTypes ?? ["code"]
            metadata.applicationType = metadata.applicationType ?? "native"
            metadata.tokenEndpointAuthenticationMethod = clientAuth?.method ?? ClientAuthenticationMethod.none
        case .clientCredentials:
            metadata.grantTypes = ["client_credentials"]
            metadata.responseTypes = []
            metadata.redirectURIs = redirectURIs.isEmpty ? nil : redirectURIs
            metadata.tokenEndpointAuthenticationMethod = clientAuth?.method ?? .basic
        }
        if let softwareStatementFile {
            metadata.softwareStatement = try InputFile.secret(in: softwareStatementFile).reveal()
        }
        do {
            try metadata.check()
        } catch {
            throw .usage(error.explanation, hint: "authhub help client register")
        }
        return metadata
    }
}

extension Failure {
    /// Creates a failure from an error of registering a client, or of reading its registration.
    init(_ error: SessionError, registering words: String) {
        let failure = Failure(error)
        switch error.serverError?.code {
        case .invalidRedirectURI?:
            self = failure.hinting("authhub client register \(words) --redirect-uri URI")
        case .invalidClientMetadata?:
            self = failure.hinting("authhub help client register")
        case .invalidSoftwareStatement?, .unapprovedSoftwareStatement?:
            self.init("denied", .denied, failure.message, hint: "ask the server's operator whose statements it trusts")
        case _ where error.serverError?.status == 401:
            self.init(
                "denied", .denied, failure.message, hint: "authhub client register \(words) --initial-access-token-file FILE")
        default: self = failure
        }
    }
}
