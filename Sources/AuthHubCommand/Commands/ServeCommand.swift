import ArgumentParser
import AuthHubPrimitives
import DevelopmentServer
import Logging
import OAuthProtocol

struct ServeCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the development server in the foreground until Ctrl-C.",
        discussion: """
            An authorization server and the API it protects, on 127.0.0.1 and in memory, for developing and testing clients. The clients \
            and users it prints are for testing only; their secrets protect nothing.
            """)

    @Option(
        help: ArgumentHelp(
            """
            The provider to simulate: a name from "authhub provider list", oidc for an OpenID provider without quirks, or mcp for \
            one that protects an MCP server. (default: github-app; oidc or mcp if a fault needs it)
            """,
            valueName: "name"),
        completion: .list(PersonaChoice.allValueStrings))
    var persona: PersonaChoice?

    @Option(help: ArgumentHelp("The port on 127.0.0.1, up to 65535, or 0 for any free port."))
    var port: UInt16 = 0

    @Option(
        help: ArgumentHelp("A JSON array of {\"login\", \"password\", \"name\"} objects with the users.", valueName: "file"),
        completion: .file(extensions: ["json"]))
    var users: String?

    @Option(
        help: ArgumentHelp(
            "A fault that the server always injects, to test how a client handles it; `list` prints the names.",
            valueName: "name"),
        completion: .list(["list"] + FaultPersona.all.map(\.id)))
    var fault: String?

    @OptionGroup var output: OutputOptions

    var endsBySignal: Bool { true }

    private static let usersLimit = 1024 * 1024

    func perform(_ console: Console) async throws(Failure) {
        if fault == "list" {
            return switch console.format {
            case .json: console.put(FaultTable.json(FaultPersona.all))
            case .text: console.put(FaultTable.text(FaultPersona.all, console.dataStyle))
            }
        }
        let fault = try fault.map(Self.fault)
        let choice = persona ?? fault.map { Self.choice(for: $0) } ?? .standard
        if let fault { try Self.check(fault, at: choice) }
        var configuration = DevelopmentServerConfiguration(persona: choice.persona, port: Int(port))
        // AniList's tokens are valid for a year.
        if choice.persona == .aniList { configuration.lifetimes.accessToken = .seconds(31_536_000) }
        if console.format == .text { configuration.logger = Logger(label: "authhub") { _ in ConsoleLog(console) } }
        if let users { configuration.users = try Self.users(in: users) }
        let server: DevelopmentAuthorizationServer
        do {
            server = try await DevelopmentAuthorizationServer.start(configuration)
        } catch {
            throw Failure("cannot_serve", .failed, "\(error)", hint: wordsWithFreePort)
        }
        if let fault { server.faults.play(fault) }
        switch console.format {
        case .json: console.put(String(decoding: server.description().serialized(), as: UTF8.self))
        case .text: console.put(ServerNotice(server, provider: choice.name, fault: fault).text(console.dataStyle))
        }
        await Self.waitForSignal()
        await server.shutdown()
        if console.format == .text { console.say(console.style("stopped", .faint)) }
    }
}

/// The role of the development server, by the name of the imitated provider.
struct PersonaChoice: ExpressibleByArgument, Sendable {
    /// A name from `provider list`, or `oidc`.
    let name: String
    let persona: Persona

    static let openID = Self(name: "oidc", persona: .openID)
    static let modelContext = Self(name: "mcp", persona: .modelContext)
    static let standard = Self(name: "github-app", persona: .gitHub)
    static let allValueStrings = (ProviderProfile.builtIn.map(\.name) + [openID.name, modelContext.name]).sorted()

    private init(name: String, persona: Persona) {
        self.name = name
        self.persona = persona
    }

    init?(argument: String) {
        guard Self.allValueStrings.contains(argument) else { return nil }
        let persona = argument == Self.openID.name ? .openID : Persona.known(argument)
        guard let persona else { return nil }
        self.init(name: argument, persona: persona)
    }
}

extension ServeCommand {
    /// The command as it was typed, at a free port.
    private var wordsWithFreePort: String {
        var words = ["authhub", "serve"]
        if let persona { words += ["--persona", persona.name] }
        words += ["--port", "0"]
        if let users { words += ["--users", users] }
        if let fault { words += ["--fault", fault] }
        return words.map(\.shellWord).joined(separator: " ")
    }

    private static func users(in path: String) throws(Failure) -> [DevelopmentUser] {
        let bytes = try InputFile.contents(of: path, limit: usersLimit)
        let source = path == "-" ? "standard input" : path
        let hint = "write [{\"login\": \"octocat\", \"password\": \"…\"}] \(path == "-" ? "to" : "into") \(path == "-" ? source : "it")"
        guard let json = try? JSONValue(strict: bytes.withoutByteOrderMark) else { throw .usage("\(source) is not JSON", hint: hint) }
        do {
            return try DevelopmentUser.list(json: json)
        } catch {
            throw .usage("\(source): \(error)", hint: hint)
        }
    }

    /// Returns the provider that a fault needs.
    private static func choice(for fault: FaultPersona) -> PersonaChoice {
        if FaultPersona.resources.contains(fault) { return .modelContext }
        return isForOpenID(fault) || needsMetadata(fault) ? .openID : .standard
    }

    /// Whether a fault is at an endpoint that only OpenID providers and servers of resources have.
    private static func needsMetadata(_ fault: FaultPersona) -> Bool { [.metadata, .registration].contains(fault.place) }

    /// Whether a fault has an effect only at an OpenID provider.
    private static func isForOpenID(_ fault: FaultPersona) -> Bool {
        ![FaultPersona.signIn, FaultPersona.device, FaultPersona.messages].contains { $0.contains(fault) }
    }

    /// Checks that a fault has an effect.
    ///
    /// - Throws: ``Failure`` if the fault needs metadata or ID tokens, and the persona has none.
    private static func check(_ fault: FaultPersona, at choice: PersonaChoice) throws(Failure) {
        if needsMetadata(fault), !choice.persona.isOpenIDProvider {
            throw .usage(
                "the fault “\(fault.id)” needs a server that publishes metadata; \(choice.name) publishes none",
                hint: "leave out --persona, or use --persona \(PersonaChoice.openID.name)")
        }
        guard isForOpenID(fault), !choice.persona.issuesIDTokens else { return }
        throw .usage(
            "the fault “\(fault.id)” needs an OpenID provider; \(choice.name) issues no ID tokens",
            hint: "leave out --persona, or use --persona \(PersonaChoice.openID.name)")
    }

    private static func fault(_ name: String) throws(Failure) -> FaultPersona {
        if let fault = FaultPersona.all.first(where: { $0.id == name }) { return fault }
        let similar = SimilarNames.of(name, among: FaultPersona.all.map(\.id))
        throw .usage(
            "“\(displayable(name, limit: 60))” is not a known fault",
            hint: similar.isEmpty ? "authhub serve --fault list" : "use one of \(similar.joined(separator: ", "))")
    }

    /// Returns when the command is interrupted.
    private static func waitForSignal() async {
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
    }
}

/// The information for a developer about a running server.
private struct ServerNotice {
    private let server: DevelopmentAuthorizationServer
    private let provider: String
    private let fault: FaultPersona?

    init(_ server: DevelopmentAuthorizationServer, provider: String, fault: FaultPersona?) {
        self.server = server
        self.provider = provider
        self.fault = fault
    }

    func text(_ style: Style) -> String {
        var lines: [(String, String)] = [("issuer", style(server.issuer, .cyan))]
        for client in server.clients {
            lines.append(("client", client.id + "  (\(client.name))"))
            if let secret = client.secret { lines.append(("", "\(secret.reveal())  its secret, for development only")) }
        }
        for user in server.users { lines.append(("user", "\(user.login), password \(user.password.reveal())")) }
        if let fault { lines.append(("fault", "\(fault.id): \(fault.behavior)")) }
        lines.append(("sign in", signIn))
        return style.facts(lines)
    }

    private var signIn: String {
        if server.persona == .modelContext { return "authhub login \(server.issuer)/mcp --allow-insecure-loopback" }
        guard let known = ProviderProfile.builtIn(provider), let profile = try? known.profile(at: server.issuer, transport: Self.transport)
        else {
            return "authhub login \(server.issuer) --client-id \(client(withSecret: false)?.id ?? "ID") --allow-insecure-loopback"
        }
        let client = client(withSecret: profile.quirks.registration.secret != .none)
        var words = "authhub login \(provider) --web \(server.issuer) --client-id \(client?.id ?? "ID")"
        if client?.secret != nil { words += " --client-secret-file -" }
        if server.persona.pinPath != nil {
            words += " --port \(DevelopmentClient.aniListPort)"
        } else if profile.needsLoopbackPort {
            // This server's clients may use any port.
            words += " --port 0"
        }
        return words + " --allow-insecure-loopback"
    }

    private static let transport = TransportPolicy.insecureHTTPOnLoopbackForDevelopment

    private func client(withSecret: Bool) -> DevelopmentClient? {
        let kind: Persona.ClientKind = provider == "github-app" ? .gitHubApp : .oauthApp
        return server.clients.first { ($0.secret != nil) == withSecret && $0.kind == kind } ?? server.clients.first
    }
}
