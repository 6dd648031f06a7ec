import ArgumentParser
import AuthHub
import AuthHubPrimitives
import OAuthProtocol
import Platform

struct IntrospectCommand: AccountCommand, NetworkCommand {
    static let configuration = CommandConfiguration(
        commandName: "introspect",
        abstract: "Ask the server about the account's access token or another token (RFC 7662).",
        discussion: """
            The token is not refreshed first. The exit status is 1 if it is not active. Many servers only respond to clients with a \
            secret: if the account's client has no secret, name another client with --client-id and --client-secret-file.
            """)

    @Option(
        help: ArgumentHelp("A file with the token to ask about instead of the account's, or - for standard input.", valueName: "file|-"),
        completion: .file())
    var tokenFile: String?

    @Option(
        help: ArgumentHelp("The type of the token in --token-file: access_token or refresh_token.", valueName: "kind"),
        completion: .list(["access_token", "refresh_token"]))
    var hint: String?

    @OptionGroup(title: "Client, instead of the account's own") var client: ClientOptions
    @OptionGroup var account: AccountOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard hint == nil || tokenFile != nil else { throw ValidationError("--hint needs --token-file.") }
        guard client.clientID != nil || (client.clientSecretFile == nil && client.privateKeyFile == nil) else {
            throw ValidationError("--client-secret-file and --private-key-file need --client-id.")
        }
        guard client.clientID != nil || client.clientAuth == nil else { throw ValidationError("--client-auth belongs to --client-id.") }
        guard tokenFile != "-" || !client.readsStandardInput else { throw ValidationError("Only one file can be standard input.") }
    }

    func perform(_ console: Console) async throws(Failure) {
        if let id = client.clientID { try ClientRequest.check(id) }
        let store = try ToolStore.open(account.storage)
        let book = AccountBook(store: store)
        guard let settings = try await Failure.translating({ try await book.settings(of: account.label) }) else {
            throw await .signInNeeded(account, in: book)
        }
        var asker = client.clientID.map { OAuthClient(id: $0) } ?? settings.client
        if client.clientID != nil { try client.request.setCredentials(of: &asker) }
        let dependencies = ToolNetwork.current.dependencies(for: settings)
        let response: IntrospectionResponse?
        do {
            let profile = try settings.profile()
            let server = AuthorizationServer(profile, dependencies: dependencies)
            guard try await server.provider(needing: [.introspection]).endpoints?.introspection != nil else { throw notOffered }
            if let tokenFile {
                let token = try InputFile.secret(in: tokenFile, called: "token")
                response = try await server.introspect(token, hint: hint.map(TokenTypeHint.init(rawValue:)), as: asker)
            } else {
                response = try await OAuthAccounts(store: store).introspect(
                    account.label, of: profile, client: settings.client, asker: asker, dependencies: dependencies)
            }
        } catch {
            throw Failure(cause: error) { failure($0) }
        }
        guard let response else { throw notSignedIn }
        switch console.format {
        case .json: console.put(response.redaction.applied(to: json(response)))
        case .text: console.put(text(response, console.dataStyle))
        }
        guard response.isActive else {
            throw Failure("not_active", .failed, "the token is not active", hint: "authhub refresh\(account.suffix), or authhub login")
        }
    }
}

extension IntrospectCommand {
    private var notSignedIn: Failure { .notSignedIn(as: account.label, hint: "authhub login\(account.suffix)") }

    private var notOffered: Failure {
        Failure("not_offered", .failed, "the server offers no token introspection", hint: "authhub status\(account.suffix)")
    }

    /// Returns the complete response of the server; if the token is not active, only that.
    private func json(_ response: IntrospectionResponse) -> JSONValue {
        var object = JSONObject()
        object["active"] = .bool(response.isActive)
        guard response.isActive else { return .object(object) }
        object["scope"] = .array((response.scope?.names ?? []).map(JSONValue.string))
        object["client_id"] = response.clientID.map(JSONValue.string) ?? .null
        object["username"] = response.username.map(JSONValue.string) ?? .null
        object["subject"] = response.subject.map(JSONValue.string) ?? .null
        object["issuer"] = response.issuer.map(JSONValue.string) ?? .null
        object["audience"] = .array(response.audience.map(JSONValue.string))
        object["expires_at"] = response.expiresAt.map { .string($0.formatted(.iso8601)) } ?? .null
        object["issued_at"] = response.issuedAt.map { .string($0.formatted(.iso8601)) } ?? .null
        object["members"] = .object(response.members)
        return .object(object)
    }

    private func text(_ response: IntrospectionResponse, _ style: Style) -> String {
        guard response.isActive else { return "The token is not active." }
        let rows: [(String, String?)] = [
            ("active", "yes"), ("subject", response.subject), ("username", response.username), ("client", response.clientID),
            ("scope", response.scope.map { $0.isEmpty ? "none" : $0.description }),
            ("audience", response.audience.isEmpty ? nil : response.audience.joined(separator: " ")),
            ("issuer", response.issuer), ("expires", response.expiresAt.map { Words.expiry($0, now: Date()) }),
        ]
        return style.facts(
            rows.compactMap { name, value in value.map { (name, escaped(response.redaction.appliedIgnoringInvisible($0), limit: 500)) } })
    }

    /// Creates a failure about the client of the request, since the account's own client may not be allowed to introspect tokens.
    private func failure(_ error: SessionError) -> Failure {
        let failure = Failure(error, login: "authhub login" + account.suffix)
        guard client.clientID == nil, [.invalidClient, .unauthorizedClient].contains(error.serverError?.code) else { return failure }
        return failure.hinting(
            "authhub introspect\(account.suffix) --client-id ID --client-secret-file FILE asks as a client that is allowed to")
    }
}
