import ArgumentParser

struct DemoCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Shows a sign-in from end to end, at a server in this process. Needs no account and no internet.",
        discussion: """
            Starts the development server, signs in with a browser (or without one, and says so), lists repositories, lets the token run \
            out, renews it once for 20 requests at once, and signs out. Each step is checked against what the server saw; the status is 0 \
            only if all of them hold. Nothing is left behind.
            """)

    @Option(help: ArgumentHelp("The command that opens the page.", valueName: "cmd"))
    var browser: String?

    @Flag(help: "Let the built-in user agent fill in the forms, whether or not a browser can open.")
    var headless = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !headless || browser == nil else { throw ValidationError("--headless and --browser exclude each other.") }
    }

    func perform(_ console: Console) async throws(Failure) {
        try await Demonstration.run(browser: headless ? .headless : browser.map(DemoBrowser.command) ?? .whatThereIs, console: console)
    }
}
