import ArgumentParser
import AuthHubPrimitives
import GTKWidgets

@main
struct EntryPoint: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authhub-gtk",
        abstract: "Signs you in at a service and shows what is yours there: your repositories at GitHub, your name at AniList.",
        discussion: """
            The settings files say where, and as which client. Without --settings they are all files *.json in authhub/app of your \
            configuration folder (XDG_CONFIG_HOME, or ~/.config).
            """,
        version: AuthHubVersion.current)

    @Option(help: ArgumentHelp("A settings file of a service; once for each.", valueName: "file"))
    var settings: [String] = []

    @Option(help: "Where the tokens are kept: the keyring of the desktop where there is one, or encrypted files.")
    var store: StoreChoice?

    @Flag(help: "Open a window of its own, even where the app runs already.")
    var separate = false

    func run() throws {
        // Called on the main thread, which stays in GTK's main loop.
        throw ExitCode(try MainActor.assumeIsolated { try show() })
    }

    @MainActor
    private func show() throws -> Int32 {
        guard Application.canShowWindows else {
            throw NoDisplay()
        }
        let app = DesktopApp(settings: settings, store: store ?? .platform, isSeparate: separate)
        guard (settings.isEmpty && store == nil) || !app.runsElsewhere else {
            throw ValidationError("The app runs already, with what it was started with. --separate opens another window beside it.")
        }
        return app.run()
    }
}

private struct NoDisplay: Error, CustomStringConvertible {
    let description = "There is no display to show a window on. The command authhub needs none."
}
