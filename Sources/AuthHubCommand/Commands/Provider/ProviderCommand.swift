import ArgumentParser
import AuthHubPrimitives
import OAuthProtocol

struct ProviderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "provider",
        abstract: "Show the known providers, and add and remove others.",
        discussion: """
            A provider is a service where users sign in: its name, its endpoints and how it differs from the specifications.

            Examples:
              authhub provider list
              authhub provider show spotify
              authhub provider show gitlab -o json > mine.json
              authhub provider add mine.json --name my-gitlab
              authhub provider remove my-gitlab
            """,
        subcommands: [ProviderListCommand.self, ProviderShowCommand.self, ProviderAddCommand.self, ProviderRemoveCommand.self],
        defaultSubcommand: ProviderListCommand.self)
}

struct ProviderListCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the built-in providers and those that you added.")

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
                .init(title: "PROVIDER", tints: [.bold]), .init(title: "DISPLAY NAME"), .init(title: "CLIENT SECRET"),
                .init(title: "REFRESH TOKEN"), .init(title: "URL", minimumWidth: 16, keepsEnd: true, tints: [.cyan]),
            ])
            table.rows = entries.map { $0.profile.row(isAdded: $0.isAdded) }
            console.put(table.rendered(console.dataStyle, width: console.columns))
            console.say("For any other provider, use its issuer's https URL. Next: authhub provider show NAME")
            for warning in providers.warnings() { console.warn(warning) }
        }
        if let problem = added.problem { throw problem }
    }
}

struct ProviderShowCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show a provider's description and how to register a client at the provider.",
        discussion: "The output of -o json is a file that \"authhub provider add\" accepts.")

    @Argument(help: ArgumentHelp("The provider's name in \"authhub provider list\".", valueName: "name"), completion: .providers)
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
        abstract: "Add a provider from a file, or replace one that was added.",
        discussion: """
            The file has the format of "authhub provider show NAME -o json". Then "authhub login NAME" accepts its name. A built-in \
            provider cannot be replaced; add yours under another name.
            """)

    @Argument(help: ArgumentHelp("A JSON file that describes the provider.", valueName: "file"), completion: .file(extensions: ["json"]))
    var file: String

    @Option(help: ArgumentHelp("The name to use instead of the file's: letters, digits, - . and _.", valueName: "name"))
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

struct ProviderRemoveCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a provider that you added.",
        discussion: "Accounts that were signed in at the provider keep its description, and stay signed in.")

    @Argument(help: ArgumentHelp("The name of an added provider.", valueName: "name"), completion: .providers)
    var name: String

    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        guard try AddedProviders().remove(name) else {
            let shown = displayable(name, limit: 60)
            throw .usage(
                ProviderName.isBuiltIn(name)
                    ? "“\(shown)” is built in and cannot be removed" : "there is no added provider “\(shown)”",
                hint: "authhub provider list")
        }
        switch console.format {
        case .json: console.put(["name": .string(name), "removed": true])
        case .text: console.say("Removed “\(name)”.")
        }
    }
}
