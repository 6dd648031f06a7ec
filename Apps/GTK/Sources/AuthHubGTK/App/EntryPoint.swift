import ArgumentParser
import AuthHubPrimitives
import GTKWidgets

@main
struct EntryPoint: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authhub-gtk",
        abstract: "Sign in to GitHub or AniList and show your repositories or profile.",
        discussion: """
            Settings files describe the services and clients. Without --settings, the app reads all *.json files in authhub/app in your \
            configuration folder (XDG_CONFIG_HOME, or ~/.config).
            """,
        version: AuthHubVersion.current)

    @Option(help: ArgumentHelp("A settings file of a service; may be repeated.", valueName: "file"))
    var settings: [String] = []

    @Option(help: "The credential store; auto uses the desktop's keyring if there is one, and encrypted files otherwise.")
    var store: StoreChoice?

    @Flag(help: "Open a separate window, even if the app is already running.")
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
            throw ValidationError("The app is already running, so its options cannot be changed. Use --separate to open another window.")
        }
        return app.run()
    }
}

private struct NoDisplay: Error, CustomStringConvertible {
    let description = "There is no display to show a window on. Use the command authhub instead."
}
