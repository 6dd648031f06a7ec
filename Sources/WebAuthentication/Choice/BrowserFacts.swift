import AuthHubPrimitives
import Platform

/// Facts about this system, such as the installed browsers. ``BrowserChoice`` uses them to choose a browser.
public struct BrowserFacts: Sendable {
    /// Whether the user's default browser can be opened, and reaches 127.0.0.1 of this machine.
    package let reach: BrowserReach
    /// Whether the system delivers callbacks of the requested scheme to this program (``CustomSchemeHandler``).
    package var isSchemeRegistered: Bool

    enum Program: Sendable, Hashable {
        case missing
        case installed(path: String)
        /// It can show pages, but not with a separate profile.
        case withoutProfiles(path: String)
    }

    let chromium: Program
    let firefox: Program
    /// The name of the program that opens pages in the usual browser.
    let opener: String?
    /// The reason why no browser can be started on this machine; nil if one can.
    let missingScreen: String?
    /// Whether the user has disabled browsers with `AUTHHUB_BROWSER`.
    let isSwitchedOff: Bool
    /// The problem with the command in `AUTHHUB_BROWSER`; nil if it is installed or not set.
    package private(set) var problemOfSetting: String?
    /// The environment that the browser inherits; that of this process if nil.
    var environment: [String: String]?

    init(
        reach: BrowserReach, chromium: Program, firefox: Program, opener: String?, missingScreen: String?, isSwitchedOff: Bool,
        isSchemeRegistered: Bool
    ) {
        self.reach = reach
        self.chromium = chromium
        self.firefox = firefox
        self.opener = opener
        self.missingScreen = missingScreen
        self.isSwitchedOff = isSwitchedOff
        self.isSchemeRegistered = isSchemeRegistered
    }
}

extension BrowserFacts {
    /// The current facts, based on the environment of this process.
    public static var here: Self { Self() }

    /// Returns the current facts for a callback. For a custom scheme, they include whether its ``CustomSchemeHandler`` is registered.
    ///
    /// - Parameters:
    ///   - callback: The callback of the sign-in.
    ///   - environment: The environment variables; if nil, those of this process.
    public static func here(for callback: CallbackMethod, environment: [String: String]? = nil) -> Self {
        var facts = Self(environment: environment)
        if case .customScheme(let scheme, _) = callback,
            case .registered = try? CustomSchemeHandler(scheme: scheme, environment: environment).status()
        {
            facts.isSchemeRegistered = true
        }
        return facts
    }

    /// Reads the facts from an environment and the programs on its `PATH`.
    ///
    /// - Parameters:
    ///   - environment: The environment variables; those of this process if nil.
    ///   - isMac: Whether this is a Mac, where a local session always has a browser.
    ///   - isContainer: Whether other signs indicate a container; detected if nil.
    ///   - isSchemeRegistered: Whether a handler of the requested scheme is registered and delivers callbacks to this program.
    package init(
        environment: [String: String]? = nil, isMac: Bool = BrowserReach.runsOnMac, isContainer: Bool? = nil,
        isSchemeRegistered: Bool = false
    ) {
        let variables = environment ?? processEnvironment()
        let isContainer = isContainer ?? ["/.dockerenv", "/run/.containerenv"].contains { (path: String) in access(path, F_OK) == 0 }
        let reach = BrowserReach(environment: variables, isMac: isMac, isContainer: isContainer)
        self.init(
            reach: reach,
            chromium: Program(EphemeralChromium.programs, in: variables),
            firefox: Program(EphemeralFirefox.programs, in: variables),
            opener: (try? SystemBrowser(environment: variables).programName()) ?? nil,
            missingScreen: Self.missingScreen(variables, isMac: isMac, reach),
            isSwitchedOff: variables.nonEmpty("AUTHHUB_BROWSER") == "none",
            isSchemeRegistered: isSchemeRegistered)
        self.environment = environment
        if opener == nil, let command = variables.nonEmpty("AUTHHUB_BROWSER"), !isSwitchedOff {
            problemOfSetting = "AUTHHUB_BROWSER is “\(displayable(command, limit: 100))”, which is not an installed command"
        }
    }

    /// Returns why a separate browser process cannot run. It runs on this machine, wherever the user is, and only needs a display.
    private static func missingScreen(_ environment: [String: String], isMac: Bool, _ reach: BrowserReach) -> String? {
        if isMac {
            return environment.nonEmpty("SSH_CONNECTION") ?? environment.nonEmpty("SSH_TTY") == nil
                ? nil : "this is an SSH session without access to the Mac's screen"
        }
        guard environment.nonEmpty("DISPLAY") ?? environment.nonEmpty("WAYLAND_DISPLAY") == nil else { return nil }
        return reach.canOpen || environment.nonEmpty("AUTHHUB_BROWSER") != nil
            ? "there is no display for a browser: neither DISPLAY nor WAYLAND_DISPLAY is set" : reach.reason
    }
}

extension BrowserFacts.Program {
    /// Finds the first of these programs that can use a separate profile, or else the first that is installed.
    init(_ names: [String], in environment: [String: String]) {
        let found = names.compactMap { BrowserProgram($0, in: environment) }
        if let program = found.first(where: { $0.packaging != .flatpak }) {
            self = .installed(path: program.path)
        } else {
            self = found.first.map { .withoutProfiles(path: $0.path) } ?? .missing
        }
    }
}
