import AuthHubPrimitives

/// The user's default browser. It is started with a command, without a shell and without access to this program's output.
///
/// The first of these that is set determines the command:
///
/// 1. The command that you pass to the initializer.
/// 2. The environment variable `AUTHHUB_BROWSER`.
/// 3. The environment variable `BROWSER`. It can contain several commands, separated by colons, which are tried in turn.
/// 4. The system: `/usr/bin/open` on Apple systems. On other systems, these commands are tried in turn: `wslview`, `explorer.exe` and
/// `rundll32.exe` under WSL, then `xdg-open`, `gio open`, and common browsers. In a Flatpak, `xdg-open` calls the desktop
/// portal.
///
/// In a command, `%s` stands for the URL; without it, the URL is appended as the last argument. The command `none` disables browsers.
///
/// Every user of the machine can read the arguments of the command. A ``BrowserAuthenticator`` therefore passes a one-time URL of its own
/// listener, which redirects the browser to the sign-in page. If you call ``open(_:)`` yourself, the arguments contain your URL unchanged.
public struct SystemBrowser: PageOpener {
    private let command: String?
    private let givenEnvironment: [String: String]?
    private let clock: any Clock<Duration>

    /// How long a command may take to report a failure; one that runs longer has opened its page.
    static let failureTime = Duration.seconds(2)

    /// Creates an opener.
    ///
    /// - Parameters:
    ///   - command: A program with its arguments. Put words with spaces in quotes.
    ///   - environment: The environment variables, which are used to find commands and are passed to them. Variables that may contain
    ///     secrets of this program are not passed. If nil, those of this process.
    ///   - clock: The clock for the time that a command has to report a failure.
    public init(
        command: String? = nil,
        environment: [String: String]? = nil,
        clock: any Clock<Duration> = .continuous
    ) {
        self.command = command
        givenEnvironment = environment
        self.clock = clock
    }

    /// Checks that browsers are not disabled, and that the configured command can be parsed. Does not check whether it is installed.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow`.
    public func check() throws(WebAuthenticationError) {
        _ = try commands(in: environment)
    }

    /// Returns the name of the program that would open a page; nil if none is installed.
    func programName() throws(WebAuthenticationError) -> String? {
        let environment = environment
        return try commands(in: environment).first { environment.findProgram($0.words[0]) != nil }?.name
    }

    /// Tries the commands in turn, until one of them succeeds or is still running after two seconds.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotShow` if all commands fail; with `.cancelledByProgram` if the task is cancelled.
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
        guard let path = environment.findProgram(command.words[0]) else { return Self.problem(of: command) }
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

    /// Returns why the program of a command cannot be started.
    private static func problem(of command: BrowserCommand) -> String {
        let path = command.words[0]
        guard path.contains("/") else { return "\(command.name) is not installed" }
        let shown = displayable(path, limit: 300)
        return fileExists(path) ? "\(shown) is not an executable file" : "the file \(shown) does not exist"
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
        try await open(reachesLoopback ? page.address().text : withoutIDTokenHint(page.url.text))
        return nil
    }
}
