import Testing

@testable import WebAuthentication

struct BrowserChoiceTests {
    /// The environment of the program.
    enum Place: Sendable {
        case desktop, wayland, ssh, forwardedSSH, wsl, wslWithDisplay, container, codespace, ci, ciWithDisplay, tunnel, remoteEditor
        case switchedOff, nothing, mac, macOverSSH

        var environment: [String: String] {
            switch self {
            case .desktop: ["DISPLAY": ":0"]
            case .wayland: ["WAYLAND_DISPLAY": "wayland-0"]
            case .ssh: ["SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"]
            case .forwardedSSH: ["SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22", "DISPLAY": "localhost:10.0"]
            case .wsl: ["WSL_DISTRO_NAME": "Debian"]
            case .wslWithDisplay: ["WSL_DISTRO_NAME": "Debian", "DISPLAY": ":0"]
            case .container: ["container": "podman"]
            case .codespace: ["CODESPACES": "true", "BROWSER": "/vscode/browser.sh", "VSCODE_IPC_HOOK_CLI": "x"]
            case .ci: ["CI": "true"]
            case .ciWithDisplay: ["CI": "true", "DISPLAY": ":99"]
            case .tunnel: ["BROWSER": "/vscode/browser.sh", "VSCODE_IPC_HOOK_CLI": "x"]
            case .remoteEditor: ["SSH_CONNECTION": "x", "BROWSER": "/vscode/browser.sh", "VSCODE_IPC_HOOK_CLI": "x"]
            case .switchedOff: ["DISPLAY": ":0", "AUTHHUB_BROWSER": "none"]
            case .nothing, .mac: [:]
            case .macOverSSH: ["SSH_CONNECTION": "x"]
            }
        }

        var isMac: Bool { [.mac, .macOverSSH].contains(self) }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var place = Place.desktop
        var wish = BrowserRequirements()
        /// The programs on the `PATH`; a name with a colon is a Flatpak.
        var installed = ["xdg-open", "chromium", "firefox"]
        var isSchemeRegistered = false
        var chosen: String?
        var code: WebAuthenticationError.Code?
        /// The texts that the reason or the explanation must contain.
        let says: [String]
    }

    /// Loopback callbacks and no other requirements.
    static let usual = [
        Row(testDescription: "a desktop", chosen: "usual", says: ["default browser with xdg-open", "there is a display"]),
        Row(testDescription: "a desktop with Wayland", place: .wayland, chosen: "usual", says: ["there is a display"]),
        Row(testDescription: "SSH with a display", place: .forwardedSSH, chosen: "usual", says: ["forwards a display"]),
        Row(
            testDescription: "WSL", place: .wsl, installed: ["explorer.exe", "xdg-open"], chosen: "usual",
            says: ["with explorer.exe", "the Windows browser"]),
        Row(
            testDescription: "a remote editor", place: .remoteEditor, installed: ["browser.sh", "xdg-open"], code: .cannotShow,
            says: ["no program to open pages was found"]),
        Row(testDescription: "a browser without xdg-open", installed: ["firefox"], chosen: "usual", says: ["with firefox"]),
        Row(
            testDescription: "nothing is installed", installed: [], code: .cannotShow,
            says: ["no program to open pages was found", "install xdg-utils", "AUTHHUB_BROWSER"]),
        Row(testDescription: "SSH", place: .ssh, code: .cannotShow, says: ["SSH session without a display", "ssh -L", "device code"]),
        Row(testDescription: "a container", place: .container, code: .cannotShow, says: ["container", "open the page yourself"]),
        Row(testDescription: "a codespace", place: .codespace, code: .cannotShow, says: ["codespace", "device code"]),
        Row(testDescription: "CI", place: .ci, code: .cannotShow, says: ["CI run"]),
        Row(testDescription: "a tunnel", place: .tunnel, code: .cannotReceive, says: ["does not reach 127.0.0.1", "device code"]),
        Row(
            testDescription: "switched off", place: .switchedOff, code: .cannotShow,
            says: ["AUTHHUB_BROWSER is “none”", "open the page yourself"]),
        Row(testDescription: "no display at all", place: .nothing, code: .cannotShow, says: ["neither DISPLAY nor WAYLAND_DISPLAY"]),
    ]

    static let ephemeral = [
        Row(
            testDescription: "ephemeral: Chromium", wish: .init(ephemeral: true), chosen: "ephemeral chromium",
            says: ["Chromium with a separate profile leaves nothing behind"]),
        Row(
            testDescription: "ephemeral: otherwise Firefox", wish: .init(ephemeral: true), installed: ["xdg-open", "firefox"],
            chosen: "ephemeral firefox", says: ["Firefox with a separate profile leaves nothing behind", "no other browser is available"]),
        Row(
            testDescription: "ephemeral: otherwise Firefox under another name", wish: .init(ephemeral: true), installed: ["firefox-esr"],
            chosen: "ephemeral firefox-esr", says: ["leaves nothing behind"]),
        Row(
            testDescription: "ephemeral: a Flatpak is skipped", wish: .init(ephemeral: true), installed: ["chromium:", "firefox"],
            chosen: "ephemeral firefox", says: ["leaves nothing behind"]),
        Row(
            testDescription: "ephemeral: only Flatpaks", wish: .init(ephemeral: true), installed: ["chromium:", "firefox:"],
            code: .cannotShow,
            says: ["leaves nothing behind", "which a Flatpak does not support", "install chromium or firefox as a system package"]),
        Row(
            testDescription: "ephemeral: never the default browser instead", wish: .init(ephemeral: true), installed: ["xdg-open"],
            code: .cannotShow,
            says: ["leaves nothing behind must be Chromium or Firefox", "which is not installed", "install chromium or firefox"]),
        Row(
            testDescription: "notices a closed window", wish: .init(knowsCancel: true), chosen: "ephemeral chromium",
            says: ["reports when its window is closed"]),
        Row(
            testDescription: "both, in Firefox by name", wish: .init(ephemeral: true, knowsCancel: true, browser: .firefox),
            chosen: "ephemeral firefox",
            says: ["Firefox with a separate profile leaves nothing behind and reports when its window is closed"]),
        Row(
            testDescription: "ephemeral, in Chromium by name, which is missing", wish: .init(ephemeral: true, browser: .chromium),
            installed: ["firefox"], code: .cannotShow, says: ["which is not installed", "install chromium"]),
        Row(
            testDescription: "ephemeral, in Firefox by name, which is missing", wish: .init(ephemeral: true, browser: .firefox),
            installed: ["chromium"], code: .cannotShow, says: ["must be Firefox", "which is not installed", "install firefox"]),
        Row(
            testDescription: "ephemeral, with a command", wish: .init(ephemeral: true, browser: .command("my-browser --x")),
            code: .cannotShow, says: ["opened by my-browser leaves nothing behind", "name chromium or firefox"]),
        Row(
            testDescription: "ephemeral, by hand", wish: .init(ephemeral: true, browser: .none), code: .cannotShow,
            says: ["a browser that you open yourself", "leaves nothing behind"]),
        Row(
            testDescription: "ephemeral over SSH", place: .ssh, wish: .init(ephemeral: true), code: .cannotShow,
            says: ["SSH session without a display", "ssh -L"]),
        Row(
            testDescription: "ephemeral, over SSH with a display", place: .forwardedSSH, wish: .init(ephemeral: true),
            chosen: "ephemeral chromium", says: ["leaves nothing behind"]),
        Row(
            testDescription: "ephemeral, in WSL: we cannot start the browser of Windows", place: .wsl,
            wish: .init(ephemeral: true), code: .cannotShow, says: ["no display for a browser"]),
        Row(
            testDescription: "ephemeral, in WSL with a display", place: .wslWithDisplay, wish: .init(ephemeral: true),
            chosen: "ephemeral chromium", says: ["leaves nothing behind"]),
        Row(
            testDescription: "ephemeral, in a codespace", place: .codespace, wish: .init(ephemeral: true), code: .cannotShow,
            says: ["codespace"]),
        Row(
            testDescription: "ephemeral, in CI with a display", place: .ciWithDisplay,
            wish: .init(ephemeral: true), chosen: "ephemeral chromium", says: ["leaves nothing behind"]),
        Row(
            testDescription: "ephemeral, switched off", place: .switchedOff, wish: .init(ephemeral: true), code: .cannotShow,
            says: ["AUTHHUB_BROWSER is “none”"]),
        Row(
            testDescription: "ephemeral, on a Mac over SSH", place: .macOverSSH, wish: .init(ephemeral: true), code: .cannotShow,
            says: ["without access to the Mac's screen"]),
    ]

    static let named = [
        Row(
            testDescription: "Chromium by name", wish: .init(browser: .chromium), chosen: "command chromium", says: ["your Chromium"]),
        Row(testDescription: "Firefox by name", wish: .init(browser: .firefox), chosen: "command firefox", says: ["your Firefox"]),
        Row(
            testDescription: "a Flatpak by name uses the user's own sessions", wish: .init(browser: .firefox), installed: ["firefox:"],
            chosen: "command firefox", says: ["your Firefox"]),
        Row(
            testDescription: "Firefox by name, which is missing", wish: .init(browser: .firefox), installed: ["xdg-open"],
            code: .cannotShow, says: ["Firefox is not installed", "install firefox"]),
        Row(
            testDescription: "Firefox by name, over SSH", place: .ssh, wish: .init(browser: .firefox), code: .cannotShow,
            says: ["Firefox cannot be started", "SSH session"]),
        Row(
            testDescription: "Firefox by name, although browsers are switched off", place: .switchedOff, wish: .init(browser: .firefox),
            chosen: "command firefox", says: ["as requested"]),
        Row(
            testDescription: "a command", place: .ssh, wish: .init(browser: .command("my-browser --x")), chosen: "command my-browser --x",
            says: ["with my-browser, as requested"]),
        Row(
            testDescription: "by hand", place: .ssh, wish: .init(browser: .none), chosen: "by hand",
            says: ["no browser is started", "ssh -L"]),
    ]

    static let otherCallbacks = [
        Row(
            testDescription: "https", wish: .init(callback: .https), chosen: "ephemeral chromium", says: ["delivers https callbacks"]),
        Row(
            testDescription: "https without a Chromium", wish: .init(callback: .https), installed: ["xdg-open", "firefox"],
            code: .cannotReceive, says: ["delivers https callbacks must be Chromium", "install chromium", "loopback redirect URI"]),
        Row(
            testDescription: "https without a display", place: .ssh, wish: .init(callback: .https), code: .cannotReceive,
            says: ["which cannot be started", "SSH session", "loopback redirect URI"]),
        Row(
            testDescription: "https with a Flatpak", wish: .init(callback: .https), installed: ["chromium:"], code: .cannotReceive,
            says: ["which a Flatpak does not support"]),
        Row(
            testDescription: "https in Firefox", wish: .init(callback: .https, browser: .firefox), code: .cannotReceive,
            says: ["only Chromium delivers https callbacks"]),
        Row(
            testDescription: "https with a command", wish: .init(callback: .https, browser: .command("my-browser")), code: .cannotReceive,
            says: ["opened by my-browser cannot deliver https callbacks"]),
        Row(
            testDescription: "https by hand", wish: .init(callback: .https, browser: .none), code: .cannotReceive,
            says: ["that you open yourself cannot deliver https callbacks"]),
        Row(
            testDescription: "a custom scheme", wish: .init(callback: .customScheme), isSchemeRegistered: true,
            chosen: "ephemeral chromium", says: ["delivers custom-scheme callbacks"]),
        Row(
            testDescription: "a custom scheme without a Chromium, registered", wish: .init(callback: .customScheme),
            installed: ["xdg-open", "firefox"], isSchemeRegistered: true, chosen: "ephemeral firefox",
            says: ["Firefox with a separate profile delivers custom-scheme callbacks"]),
        Row(
            testDescription: "a custom scheme through a tunnel, registered", place: .tunnel, wish: .init(callback: .customScheme),
            installed: ["/vscode/browser.sh", "xdg-open"], isSchemeRegistered: true, code: .cannotShow,
            says: ["no program to open pages was found"]),
        Row(
            testDescription: "a custom scheme without a Chromium, not registered", wish: .init(callback: .customScheme),
            installed: ["xdg-open", "firefox"], chosen: "ephemeral firefox", says: ["delivers custom-scheme callbacks"]),
        Row(
            testDescription: "an ephemeral custom scheme, without a Chromium",
            wish: .init(callback: .customScheme, ephemeral: true),
            installed: ["xdg-open", "firefox"], isSchemeRegistered: true, chosen: "ephemeral firefox",
            says: ["leaves nothing behind and delivers custom-scheme callbacks"]),
        Row(
            testDescription: "a custom scheme in Firefox, registered", wish: .init(callback: .customScheme, browser: .firefox),
            isSchemeRegistered: true, chosen: "ephemeral firefox", says: ["delivers custom-scheme callbacks"]),
        Row(
            testDescription: "a custom scheme in Firefox, not registered", wish: .init(callback: .customScheme, browser: .firefox),
            chosen: "ephemeral firefox", says: ["delivers custom-scheme callbacks"]),
        Row(
            testDescription: "a custom scheme in an ephemeral Firefox",
            wish: .init(callback: .customScheme, ephemeral: true, browser: .firefox), isSchemeRegistered: true,
            chosen: "ephemeral firefox", says: ["leaves nothing behind and delivers custom-scheme callbacks"]),
        Row(
            testDescription: "a custom scheme without either, registered", wish: .init(callback: .customScheme), installed: ["xdg-open"],
            isSchemeRegistered: true, chosen: "usual", says: ["default browser", "the scheme's handler delivers the callback"]),
        Row(
            testDescription: "a custom scheme without either, not registered", wish: .init(callback: .customScheme),
            installed: ["xdg-open"], code: .cannotReceive, says: ["install chromium or firefox", "loopback redirect URI"]),
        Row(
            testDescription: "an ephemeral custom scheme, without either, registered",
            wish: .init(callback: .customScheme, ephemeral: true), installed: ["xdg-open"], isSchemeRegistered: true, code: .cannotReceive,
            says: ["leaves nothing behind", "install chromium or firefox"]),
        Row(
            testDescription: "a custom scheme with a command, registered",
            wish: .init(callback: .customScheme, browser: .command("my-browser")), isSchemeRegistered: true, chosen: "command my-browser",
            says: ["with my-browser"]),
        Row(
            testDescription: "a custom scheme with a command, not registered",
            wish: .init(callback: .customScheme, browser: .command("my-browser")), code: .cannotReceive,
            says: ["opened by my-browser only delivers custom-scheme callbacks if the scheme is registered"]),
        Row(
            testDescription: "a custom scheme by hand, registered", wish: .init(callback: .customScheme, browser: .none),
            isSchemeRegistered: true, chosen: "by hand", says: ["open the page"]),
        Row(
            testDescription: "a custom scheme in Chromium by name", wish: .init(callback: .customScheme, browser: .chromium),
            chosen: "ephemeral chromium", says: ["delivers custom-scheme callbacks"]),
    ]

    @Test(arguments: usual + ephemeral + named + otherCallbacks)
    func `chooses the browser that meets every requirement, with its reason, or none`(row: Row) throws {
        let folder = try ScriptFolder()
        for name in row.installed where !name.contains("/") {
            try folder.add(String(name.prefix { $0 != ":" }), name.hasSuffix(":") ? "exec flatpak run x" : "exit 0")
        }
        let facts = BrowserFacts(
            environment: row.place.environment.merging(["PATH": folder.path]) { $1 }, isMac: row.place.isMac, isContainer: false,
            isSchemeRegistered: row.isSchemeRegistered)
        let text: String
        do throws(WebAuthenticationError) {
            let choice = try BrowserChoice(for: row.wish, given: facts)
            #expect(choice.browser.text == row.chosen)
            #expect(choice.capabilities.isEphemeral == choice.isOwnProfile && choice.capabilities.knowsCancel == choice.isOwnProfile)
            #expect(!row.wish.ephemeral || choice.capabilities.isEphemeral)
            #expect(!row.wish.knowsCancel || choice.capabilities.knowsCancel)
            #expect(choice.capabilities.callbacks.contains(row.wish.callback))
            text = choice.reason
        } catch {
            #expect(error.code == row.code)
            #expect(row.chosen == nil)
            text = error.explanation ?? ""
        }
        for words in row.says { #expect(text.contains(words)) }
    }

    #if os(Linux)
    @Test func `finds out whether a scheme leads here`() throws {
        let folder = try ScriptFolder()
        let program = try folder.add("handler", "exit 0")
        let environment = ["PATH": folder.path, "XDG_DATA_HOME": "\(folder.path)/data", "XDG_CONFIG_HOME": "\(folder.path)/config"]
        let facts = { (callback: CallbackMethod) in BrowserFacts.here(for: callback, environment: environment) }
        #expect(!facts(.customScheme("com.example.app")).isSchemeRegistered)
        try CustomSchemeHandler(scheme: "com.example.app", environment: environment).register(command: [program], name: "Example")
        #expect(facts(.customScheme("com.example.app")).isSchemeRegistered)
        #expect(!facts(.customScheme("com.example.other")).isSchemeRegistered)
        #expect(!facts(.loopback()).isSchemeRegistered)
    }
    #endif

    @Test func `the chosen browser opens the page`() async throws {
        let folder = try ScriptFolder()
        try folder.add("my-browser", #"echo "$1" > "$(dirname "$0")/opened""#)
        let facts = BrowserFacts(environment: ["DISPLAY": ":0", "PATH": "\(folder.path):/usr/bin:/bin"], isMac: false, isContainer: false)
        let choice = try BrowserChoice(for: BrowserRequirements(browser: .command("my-browser")), given: facts)
        try await choice.opener.open("https://as.example/")
        #expect(try folder.read("opened") == "https://as.example/\n")
    }

    @Test func `waits for a page that is opened by hand`() async throws {
        let facts = BrowserFacts(environment: ["SSH_TTY": "x", "PATH": "/usr/bin"], isMac: false, isContainer: false)
        let choice = try BrowserChoice(for: BrowserRequirements(browser: .none), given: facts)
        let signIn = try await SignIn(opener: choice.opener)
        async let page = signIn.get("/callback?code=c&state=right")
        try await signIn.outcome.get().conclude(.signedIn)
        #expect(try await page.status == 200)
    }
}

extension BrowserChoice {
    fileprivate var isOwnProfile: Bool { browser.text.hasPrefix("ephemeral ") }
}

extension BrowserChoice.Browser {
    /// A description without the folders of the programs.
    fileprivate var text: String {
        switch self {
        case .usual: "usual"
        case .command(let command): "command \(command.split(separator: "/").last ?? "")"
        case .ephemeralChromium(let path), .ephemeralFirefox(let path): "ephemeral \(path.split(separator: "/").last ?? "")"
        case .byHand: "by hand"
        }
    }
}
