import ArgumentParser
import AuthHub
import AuthHubPrimitives
import OAuthProtocol

struct ClientShowCommand: NetworkCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show how a client is registered at the server now.",
        discussion: "If the server does not let clients read their registration, this command shows the stored one and says so.")

    @OptionGroup(title: "Server") var client: RegisteredClientOptions

    @Flag(help: "Show what is stored on this machine, without contacting the server.")
    var local = false

    @Option(help: ArgumentHelp("Also write the client secret into this new file.", valueName: "file"), completion: .file())
    var secretFile: String?

    @OptionGroup var storage: StoreOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let book = RegistrationBook(store: try ToolStore.open(storage))
        let key = try await client.key(in: book)
        guard let (known, version) = try await book.stored(key) else { throw client.vanished }
        var registration = known
        if !local, registration.isManageable {
            do {
                registration = try await client.server.server().registration(registration)
            } catch {
                throw Failure(cause: error) { Failure($0, managing: client) }
            }
            // The server may have issued a new token for the next request.
            try await book.save(registration, for: key, replacing: version)
        } else if !local {
            console.say("The server does not let clients read their registration; this is what is stored on this machine.")
        }
        let report = RegistrationReport(key, registration, secrets: known.secrets)
        if let secretFile {
            guard let secret = registration.clientSecret else {
                throw .usage("the client has no secret", hint: "authhub client show \(client.words)")
            }
            try NewSecretFile.write(secret, to: secretFile)
        }
        switch console.format {
        case .json: console.put(report.json)
        case .text: console.put(report.text(console.dataStyle))
        }
    }
}

extension Failure {
    /// Creates a failure from an error of reading or deleting a registration at the server.
    init(_ error: SessionError, managing client: RegisteredClientOptions) {
        let failure = Failure(error)
        guard error.serverError?.status == 401 else {
            self = failure
            return
        }
        self.init(
            "not_registered", .failed, "the server no longer knows this registration or its token: \(error.explanation)",
            hint: "authhub client delete \(client.words) --local, then register again")
    }
}
