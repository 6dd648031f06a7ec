/// The user's default browser, started by a command with one argument, without a shell and without access to our output.
///
/// The first of these commands that is set is used: the given one, `AUTHHUB_BROWSER`, `BROWSER` (several separated by colons, tried in
/// turn), and those of the system: `/usr/bin/open` on Apple systems; elsewhere, under WSL, `wslview`, `explorer.exe` and `rundll32.exe`,
/// then `xdg-open`, `gio open`, and well-known browsers. The desktop portal is not called directly: inside a Flatpak, `xdg-open` is its
/// client, and outside it offers nothing more.
/// `%s` in a command stands for the URL, which is otherwise the last argument. The command `none` disables browsers.
///
/// Every user of the machine can read the command's arguments. A ``BrowserAuthenticator`` therefore passes a one-time URL of its own
/// listener, which redirects the browser to the sign-in page; ``open(_:)`` called directly shows the URL unchanged.
public struct SystemBrowser: PageOpener {
    private let command: String?
    private let givenEnvironment: [String: String]?
    private let clock: any Clock<Duration>

    /// How long a command may take to report a failure; one that runs longer has opened its page.
    static let failureTime = Duration.seconds(2)

    /// Creates an opener.
    ///
    /// - Parameters:
    ///   - command: A program with its arguments; use quotes for words with spaces.
    ///   - environment: The environment variables to find the commands with and to pass to them, without our own secrets; those of this
    ///     process if nil.
    ///   - clock: The clock for the time in which a command may fail.
    public init(
        command: String? = nil,
        environment: [String: String]? = nil,
        clock: any Clock<Duration> = .continuous
    ) {
        self.command = command
        givenEnvironment = environment
        self.clock = clock
    }

    /// Checks that browsers are not disabled and that a configured command is valid, but not that it is installed.
    public func check() throws(WebAuthenticationError) {
        _ = try commands(in: environment)
    }

    /// Returns the name of the program that would open a page; nil if none is installed.
    func programName() throws(WebAuthenticationError) -> String? {
        let environment = environment
        return try commands(in: environment).first { environment.findProgram($0.words[0]) != nil }?.name
    }

    /// Runs one command after the other until one succeeds or is still running after two seconds.
    public func open(_ url: String) async throws(WebAuthenticationError) {
        let url = try ShownURL(url)
        let environment = environment
        var failures: [String] = []
        for command in try commands(in: environment) {
            guard !Task.isCancelled else { throw WebAuthenticationError(.cancelledByProgram) }
            guard let failure = await run(command, url, environment) else { return }
            failures.append(failure)
        }
        throw WebAuthenticationError(
            .cannotShow, "\(failures.joined(separator: "; ")); install a browser, or name its command in AUTHHUB_BROWSER")
    }

    private var environment: [String: String] { givenEnvironment ?? processEnvironment() }

    /// Whether the browser can load the start URL: a browser on another machine may not reach the loopback port.
    private var reachesLoopback: Bool {
        let reach = BrowserReach(environment: environment)
        return command != nil || reach.reachesLoopback || !reach.canOpen
    }

    private func commands(in environment: [String: String]) throws(WebAuthenticationError) -> [BrowserCommand] {
        let settings = [("the browser command", command), ("AUTHHUB_BROWSER", environment.nonEmpty("AUTHHUB_BROWSER"))]
        for case (let name, let text?) in settings {
            guard text != "none" else {
                throw WebAuthenticationError(.cannotShow, "\(name) is “none”: browsers are disabled")
            }
            guard let command = environment.findProgram(text) == nil ? BrowserCommand(text) : BrowserCommand(words: [text]) else {
                throw WebAuthenticationError(.cannotShow, "\(name) is not a command: it is empty or has an unclosed quote")
            }
            return [command]
        }
        let listed = environment.nonEmpty("BROWSER")?.split(separator: ":").compactMap { BrowserCommand($0) } ?? []
        return listed.isEmpty ? Self.offered(in: environment) : listed
    }

    private static func offered(in environment: [String: String]) -> [BrowserCommand] {
        #if canImport(Darwin)
        [BrowserCommand(words: ["/usr/bin/open"])]
        #else
        // Of these, only the installed ones: a failure lists the commands that the user may have expected to work.
        let windows = [["wslview"], ["explorer.exe"], ["rundll32.exe", "url.dll,FileProtocolHandler"]].map { BrowserCommand(words: $0) }
        let browsers = ["x-www-browser", "firefox", "firefox-esr", "chromium", "google-chrome"].map { BrowserCommand(words: [$0]) }
        let isThere = { (command: BrowserCommand) in environment.findProgram(command.words[0]) != nil }
        return (environment.isWSL ? windows.filter(isThere) : [])
            + [BrowserCommand(words: ["xdg-open"]), BrowserCommand(words: ["gio", "open"])] + browsers.filter(isThere)
        #endif
    }

    /// Runs a command.
    ///
    /// - Returns: The problem, or nil if the command opened the page, as far as is known.
    private func run(_ command: BrowserCommand, _ url: ShownURL, _ environment: [String: String]) async -> String? {
        guard let path = environment.findProgram(command.words[0]) else { return "\(command.name) is not installed" }
        let process: BrowserProcess
        do {
            process = try BrowserProcess(
                path: path, arguments: command.arguments(showing: url.text), environment: environment)
        } catch {
            return "\(command.name) could not be started (\(error))"
        }
        switch await exit(of: process) {
        case nil, .status(0), .unknown: return nil
        // The file manager of Windows always exits with this status.
        case .status(1) where command.name == "explorer.exe": return nil
        case .status(let status): return "\(command.name) exited with status \(status)"
        case .signal(let signal): return "\(command.name) was terminated by signal \(signal)"
        }
    }

    /// Returns how the process ended, or nil if it is still running when the time is over or the task is cancelled.
    private func exit(of process: BrowserProcess) async -> BrowserProcess.Exit? {
        let first = OneTimeValue<BrowserProcess.Exit?>()
        let ending = Task { first.settle(await process.exit) }
        let time = Task { [clock] in
            try? await clock.sleep(for: Self.failureTime)
            first.settle(nil)
        }
        defer {
            ending.cancel()
            time.cancel()
        }
        return await withTaskCancellationHandler {
            await first.value
        } onCancel: {
            first.settle(nil)
        }
    }
}

extension SystemBrowser: PrivatelyOpening {
    func openWindow(_ page: PageToShow) async throws(WebAuthenticationError) -> (any BrowserWindow)? {
        try await open(reachesLoopback ? page.address().text : page.url.text)
        return nil
    }
}
