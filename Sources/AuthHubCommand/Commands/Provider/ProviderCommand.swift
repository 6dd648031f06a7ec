import ArgumentParser
import AuthHubPrimitives
import OAuthProtocol

struct ProviderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provider",
        abstract: "Shows which providers are known, and adds others.",
        discussion: """
            A provider is where people sign in: what it is called, its addresses, and where it differs from the specifications.

            Examples:
              authhub provider list
              authhub provider show spotify
              authhub provider show gitlab -o json > mine.json
              authhub provider add mine.json --name my-gitlab
            """,
        subcommands: [ProviderListCommand.self, ProviderShowCommand.self, ProviderAddCommand.self],
        defaultSubcommand: ProviderListCommand.self)
}

struct ProviderListCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Lists the providers that login knows by name.")

    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        var entries: [(profile: ProviderFacts, isAdded: Bool)] = []
        let providers = try AddedProviders()
        let added = try providers.all()
        for profile in added.profiles { entries.append((ProviderFacts(profile, place: .fixed), true)) }
        for known in ProviderFacts.knownProviders { entries.append((try ProviderFacts(known), false)) }
        entries.sort { $0.profile.name < $1.profile.name }
        switch console.format {
        case .json: console.put(.array(entries.map { $0.profile.summary(isAdded: $0.isAdded) }))
        case .text:
            var table = Table(columns: [
                .init(title: "PROVIDER", tints: [.bold]), .init(title: "CALLED"), .init(title: "SECRET"), .init(title: "REFRESH"),
                .init(title: "AT", minimumWidth: 16, tints: [.cyan]),
            ])
            table.rows = entries.map { $0.profile.row(isAdded: $0.isAdded) }
            console.put(table.rendered(console.dataStyle, width: console.columns))
            console.say("Any other is reached by its issuer's https URL. Next: authhub provider show NAME")
            for warning in providers.warnings() { console.warn(warning) }
        }
        if let problem = added.problem { throw problem }
    }
}

struct ProviderShowCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows all that is known of a provider, and what registering a client there takes.",
        discussion: "With -o json, what it writes is a file that \"authhub provider add\" takes.")

    @Argument(help: ArgumentHelp("Its name in \"authhub provider list\".", valueName: "name"))
    var name: String

    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let provider = try NamedProvider(name)
        let profile = try provider.example()
        switch console.format {
        case .json: console.put(profile.settings)
        case .text:
            console.put(ProviderFacts(profile, place: provider.place).text(console.dataStyle))
            if let warning = try AddedProviders().warning(about: name) { console.warn(warning) }
        }
    }
}

struct ProviderAddCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Adds a provider from a file, or replaces one that was added.",
        discussion: """
            The file is what "authhub provider show NAME -o json" writes. Afterwards "authhub login NAME" knows it. A built-in provider \
            cannot be replaced: add yours under another name.
            """)

    @Argument(help: ArgumentHelp("A JSON file that describes the provider.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("Another name than the file has: letters, digits, - . and _.", valueName: "name"))
    var name: String?

    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        var profile = try AddedProviders.read(file)
        if let name { profile.name = name }
        if let problem = ProviderName.problem(with: profile.name, besides: RootCommand.commandNames) {
            throw .usage(problem, hint: "authhub provider add \(file.shellWord) --name NAME")
        }
        let providers = try AddedProviders()
        let isReplaced = providers.holds(profile.name)
        try providers.keep(profile)
        switch console.format {
        case .json: console.put(["name": .string(profile.name), "display_name": .string(profile.displayName)])
        case .text:
            let options = RegistrationAdvice(profile).options
            console.say("\(isReplaced ? "Replaced" : "Added") “\(profile.name)”. Next: authhub login \(profile.name) \(options)")
        }
    }
}
