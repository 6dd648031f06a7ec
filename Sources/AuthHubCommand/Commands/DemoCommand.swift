import ArgumentParser

struct DemoCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Demonstrate a sign-in from end to end with a server in this process. Needs no account and no internet.",
        discussion: """
            Starts the development server, signs in with a browser (or without one, and says so), lists repositories, waits until the \
            token expires, sends 20 requests that share one refresh, and signs out. Each step is checked against what the server saw; the \
            exit status is 0 only if all checks pass. Nothing is left behind.
            """)

    @Option(help: ArgumentHelp("The command that opens the sign-in page, or none to open it yourself.", valueName: "cmd"))
    var browser: String?

    @Flag(help: "Let the built-in user agent fill in the forms, even if a browser is available.")
    var headless = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !headless || browser == nil else { throw ValidationError("--headless and --browser cannot be used together.") }
    }

    func perform(_ console: Console) async throws(Failure) {
        try await Demonstration.run(browser: choice, console: console)
    }

    private var choice: DemoBrowser {
        if headless { return .headless }
        return switch browser {
        case nil: .whatThereIs
        case "none": .byHand
        case let command?: .command(command)
        }
    }
}
