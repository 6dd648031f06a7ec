import ArgumentParser
import AuthHub
import AuthHubPrimitives
import OAuthProtocol
import Platform

struct JWTInspectCommand: NetworkCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Verify a token with its issuer's keys, and show its claims.",
        discussion: """
            Reads the token from a file or from standard input, because every user of this machine can see arguments. Verifies the signature \
            and the claims iss (with --issuer), aud and azp (with --client-id), exp, nbf and iat. With --client-id, the token must be an ID \
            token: if typ names another kind of token, it is rejected. The exit status is 0 if the token is valid, and 7 if its signature, \
            kind, issuer or client is wrong.

            Without --issuer or --jwks, nothing is verified: the command shows what the token says, and the exit status is 1.

            Examples:
              authhub token --id | authhub jwt inspect --issuer https://login.example.com
              authhub jwt inspect --jwks https://login.example.com/keys.json token.txt
            """)

    @Option(help: ArgumentHelp("The https URL of the token's issuer, whose keys verify the token.", valueName: "url"))
    var issuer: String?

    @Option(help: ArgumentHelp("The https URL of the key set that verifies the token, instead of an issuer.", valueName: "url"))
    var jwks: String?

    @Option(help: ArgumentHelp("The client ID that the token must be for.", valueName: "id"))
    var clientID: String?

    @Argument(help: ArgumentHelp("A file with the token, or - for standard input.", valueName: "file|-"), completion: .file())
    var file = "-"

    @OptionGroup var loopback: LoopbackOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard issuer == nil || jwks == nil else { throw ValidationError("--issuer and --jwks cannot be used together.") }
        guard clientID == nil || issuer != nil || jwks != nil else { throw ValidationError("--client-id needs --issuer or --jwks.") }
    }

    func perform(_ console: Console) async throws(Failure) {
        try checkURLs()
        let inspection = try await inspection(of: token())
        switch console.format {
        case .json: console.put(inspection.json)
        case .text: console.put(inspection.text(console.dataStyle, now: Date()))
        }
        if let failure = inspection.failure { throw failure }
    }
}

extension JWTInspectCommand {
    private func checkURLs() throws(Failure) {
        if let issuer { try loopback.check(issuer, "--issuer", hint: "authhub jwt inspect --issuer https://HOST") }
        if let jwks { try loopback.check(jwks, "--jwks", hint: "authhub jwt inspect --jwks https://HOST/PATH") }
    }

    /// Reads the token. The argument is never repeated if it is not a file, because it may be the token.
    private func token() throws(Failure) -> Secret<String> {
        let hint = "name a file with the token, or write the token to standard input: authhub jwt inspect -"
        guard file == "-" || InputFile.exists(file) else {
            throw .usage(
                UnverifiedToken.isLikely(file)
                    ? "a token must not be an argument, because every user of this machine can see it" : "there is no such file",
                hint: hint)
        }
        return try InputFile.secret(in: file, called: "token")
    }

    private func inspection(of token: Secret<String>) async throws(Failure) -> TokenInspection {
        let unverified = try TokenInspection(token)
        guard let source = issuer.map(KeySetSource.issuer) ?? jwks.map({ KeySetSource.keySet(url: $0) }) else { return unverified }
        let keys: KeySetReport
        do throws(SessionError) {
            keys = try await source.read(
                ServerDiscovery(dependencies: ToolNetwork.current.dependenciesForThirdParties, transport: loopback.transport))
        } catch {
            throw Failure(keys: error, command: words)
        }
        return try TokenInspection(token, keys: keys, issuer: keys.issuer, clientID: clientID, now: Date())
    }

    /// The command line as typed, without the file.
    private var words: String {
        let options = [("--issuer", issuer), ("--jwks", jwks), ("--client-id", clientID)]
        return (["authhub", "jwt", "inspect"] + options.flatMap { name, value in value.map { [name, $0.shellWord] } ?? [] })
            .joined(separator: " ") + loopback.suffix
    }
}
