import ArgumentParser
import AuthHub
import AuthHubPrimitives
import OAuthProtocol
import Platform

struct TokenCommand: AccountCommand, NetworkCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Print the access token, refreshed first if it has expired.",
        discussion: """
            Never opens a page. If several processes need a new token at the same time, one of them refreshes it for all.

            For a command that needs the token, without showing it in the list of processes:
              curl -K <(authhub token --format curl) URL
              eval "$(authhub token --format env)"       sets AUTHHUB_TOKEN
              authhub token --format fish | source
              authhub token --format powershell | Invoke-Expression

            netrc is for servers that accept the token as the password of Basic authentication, at the API's host. To run a command with \
            a token that stays fresh, use "authhub exec".

            --scope, --resource and --audience print a new token with less access, which is not stored; the account keeps its own tokens. A \
            scope and resources are requested with the refresh token. Audiences, or an account without a refresh token, need a server that \
            exchanges tokens (RFC 8693).

            With --id, prints the ID token, which says who signed in. Only programs that check that it was issued for them may use it.
            """)

    @OptionGroup var account: AccountOptions

    @Option(
        help: ArgumentHelp(
            "The minimum remaining lifetime of the token, in seconds; if no such token is available, a warning is printed.",
            valueName: "seconds"))
    var minTtl = 0

    @OptionGroup var access: AccessOptions

    @Option(
        help: ArgumentHelp("raw, header, json (as -o json), curl, netrc, env (for sh), fish or powershell.", valueName: "format"))
    var format = TokenFormat.raw

    @Flag(name: .customLong("id"), help: "Print the verified ID token instead (OpenID Connect).")
    var printsIDToken = false

    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup var outputOptions: OutputOptions

    /// `--format json` means the same as `-o json`.
    var output: OutputOptions {
        var options = outputOptions
        if format == .json { options.format = .json }
        return options
    }

    func validate() throws {
        guard [.raw, .json].contains(format) || outputOptions.format == .text else {
            throw ValidationError("--format \(format.rawValue) cannot be used with -o json.")
        }
        guard [.raw, .json].contains(format) || !printsIDToken else {
            throw ValidationError("--format \(format.rawValue) cannot be used with --id: an ID token is not for sending to an API.")
        }
        guard access.isEmpty || (!printsIDToken && minTtl == 0) else {
            throw ValidationError("--scope, --resource and --audience cannot be used with --id or --min-ttl.")
        }
        guard !printsIDToken || minTtl == 0 else { throw ValidationError("--min-ttl cannot be used with --id.") }
        guard (0...31_536_000).contains(minTtl) else { throw ValidationError("--min-ttl must be 0 to 31536000 seconds.") }
    }

    func perform(_ console: Console) async throws(Failure) {
        let account = try await SignedInAccount.open(account)
        let token: AccessToken
        do {
            token =
                access.isEmpty
                ? try await account.session.accessToken(minimumLifetime: .seconds(minTtl))
                : try await account.session.accessToken(narrowedTo: access.narrowed)
        } catch {
            throw access.explaining(await account.failure(error), error)
        }
        let now = Date()
        guard !printsIDToken else { return try await printIDToken(of: account, console, now: now) }
        if let end = token.expiresAt, end < now.addingTimeInterval(Double(minTtl)) {
            console.warn("the token expires \(Words.expiry(end, now: now)); \(account.session.whyNotRenewed)")
        }
        switch console.format {
        case .text:
            let host = format == .netrc ? try await apiHost(of: account, for: token) : ""
            console.put(try format.text(token.value.reveal(), type: token.type.rawValue, host: host))
        case .json: console.put(token.json)
        }
    }
}

extension TokenCommand {
    /// Returns the host of the account's API, if it may get the token.
    private func apiHost(of account: SignedInAccount, for token: AccessToken) async throws(Failure) -> String {
        let profile: ProviderProfile
        do {
            profile = try await account.session.provider()
        } catch {
            throw await account.failure(error)
        }
        guard let origin = profile.accountEndpoint.flatMap({ Origin(url: $0) }), profile.tokenOrigins.contains(origin),
            token.soleOrigin.map({ $0 == origin }) ?? true
        else {
            throw Failure(
                "not_offered", .failed, "the host of the API that accepts the token is unknown, and a netrc file has to name it",
                hint: "authhub token\(account.suffix) --format curl")
        }
        return origin.host
    }

    private func printIDToken(of account: SignedInAccount, _ console: Console, now: Date) async throws(Failure) {
        guard let token = try await account.identity() else { throw await missingIDToken(account) }
        if token.expiresAt <= now {
            console.warn(
                "the ID token expired \(Words.expiry(token.expiresAt, now: now)); authhub refresh\(account.suffix) may get another")
        }
        switch console.format {
        case .text: console.put(token.text.reveal())
        case .json: console.put(token.json)
        }
    }

    private func missingIDToken(_ account: SignedInAccount) async -> Failure {
        if account.settings.signsInWithoutPage { return account.withoutUser }
        // If the server's metadata is not available, the server may issue ID tokens.
        if let profile = try? await account.session.provider(needing: [.jwks]), !profile.hasIDTokenKeys(for: account.settings.client) {
            return Failure(
                "not_offered", .failed, "\(profile.displayName) issues no ID tokens that AuthHub can verify",
                hint: "authhub whoami\(account.suffix)")
        }
        var scope: Scope = ["openid"]
        if case .signedIn(let facts) = account.session.state { scope = facts.scope.union(scope) }
        return Failure(
            "not_offered", .failed, "“\(account.label)” has no ID token; the server issues one if the sign-in requests the scope openid",
            hint: "\(account.login) --scope \(scope.names.joined(separator: ",").shellWord)")
    }
}

extension OAuthSession {
    /// The reason why there is no token that is valid for longer.
    var whyNotRenewed: String {
        guard case .signedIn(let facts) = state, let problem = facts.problem else {
            return "no token that is valid for longer is available"
        }
        return "it could not be refreshed: \(displayable(problem.explanation, limit: 2_000))"
    }
}

extension AccessToken {
    fileprivate var json: JSONValue {
        [
            "access_token": .string(value.reveal()), "token_type": .string(type.rawValue),
            "expires_at": expiresAt.map { .string($0.formatted(.iso8601)) } ?? .null,
            "scope": .array(scope.names.map { .string($0) }),
        ]
    }
}

extension IDToken {
    fileprivate var json: JSONValue {
        [
            "id_token": .string(text.reveal()), "issuer": .string(issuer), "subject": .string(subject),
            "expires_at": .string(expiresAt.formatted(.iso8601)),
        ]
    }
}
