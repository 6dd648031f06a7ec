import ArgumentParser
import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import HeadlessBrowsing
import OAuthProtocol
import Platform
import WebAuthentication

/// The options for the browser that shows the page.
struct BrowserOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The browser: default, chromium, firefox, a command that gets the URL as its last argument, or none to open the page yourself.",
            valueName: "name|cmd"),
        completion: .list(["default", "chromium", "firefox", "none"]))
    var browser: String?

    @Flag(help: "Use a private browser session that leaves nothing behind.")
    var ephemeral = false

    @Flag(help: "Let the built-in user agent fill in the forms (only for servers on this machine).")
    var headless = false

    @Option(help: ArgumentHelp("The user name for --headless.", valueName: "name"))
    var user: String?

    @Option(
        help: ArgumentHelp(
            "A file with the password for --headless, or - for standard input (default: AUTHHUB_HEADLESS_PASSWORD).", valueName: "file|-"),
        completion: .file())
    var passwordFile: String?

    @Flag(help: "With --headless, deny access if the server asks for consent.")
    var deny = false

    @Option(
        help: ArgumentHelp(
            "The time that you have to sign in, in seconds (default: 300; with --flow device, until the code expires).",
            valueName: "seconds"))
    var timeout: Int?

    static let defaultTimeout = 300

    func validate() throws {
        guard (1...3600).contains(timeout ?? Self.defaultTimeout) else { throw ValidationError("--timeout must be 1 to 3600 seconds.") }
        guard !headless || (browser == nil && !ephemeral) else {
            throw ValidationError("--headless cannot be used with --browser or --ephemeral.")
        }
        guard headless || (user == nil && passwordFile == nil && !deny) else {
            throw ValidationError("--user, --password-file and --deny need --headless.")
        }
    }
}

extension BrowserOptions {
    /// The options that choose the browser, as they were typed, with a space before them; empty if none was.
    var suffix: String {
        var words: [String] = []
        if let browser { words += ["--browser", browser] }
        if ephemeral { words.append("--ephemeral") }
        if headless { words.append("--headless") }
        if let user { words += ["--user", user] }
        if let passwordFile { words += ["--password-file", passwordFile] }
        return words.map { " " + $0.shellWord }.joined()
    }

    /// Returns an authenticator.
    ///
    /// - Throws: ``Failure`` if nothing can show the page and there is no user to open it, or no callback can be received.
    func authenticator(
        for profile: ProviderProfile, receiving redirectURI: RedirectURI, to purpose: SignInNotice.Purpose = .signIn, console: Console
    ) throws(Failure) -> BrowserAuthenticator {
        let callback = CallbackMethod(redirectURI, at: profile)
        if headless {
            return try headlessAuthenticator(for: profile, isPinPage: callback.kind == .pinPage, to: purpose, console: console)
        }
        guard callback.kind != .pinPage || console.isInteractive else {
            throw Failure(
                "cannot_sign_in_here", .failed, "the provider's page shows text to paste, but standard input is not a terminal",
                hint: "add --flow paste and write what the page shows to standard input")
        }
        let facts = BrowserFacts.here(for: callback)
        do {
            let choice = try BrowserChoice(for: wish(callback.kind), given: facts)
            return shown(by: choice, how: choice.reason, callback.kind, to: purpose, console)
        } catch {
            let byHand = BrowserRequirements(callback: callback.kind, browser: .none)
            if asksForNothing, console.isInteractive, let choice = try? BrowserChoice(for: byHand, given: facts) {
                return shown(
                    by: choice, how: "no browser is started, because \(facts.problemOfSetting ?? facts.reach.reason)", callback.kind,
                    to: purpose, otherWays: purpose == .signIn && callback.kind == .loopback ? Self.otherWays(at: profile) : nil, console)
            }
            throw Failure(
                "cannot_sign_in_here", .failed, error.message, hint: hint(for: callback, at: profile))
        }
    }

    /// How to sign in if no browser can be started, and the user cannot open the page on this machine either.
    private static func otherWays(at profile: ProviderProfile) -> String {
        let headless = profile.isOnLoopback ? ", or --headless for this server on your machine" : ""
        return "Other ways: add --flow paste to use any browser, --flow device if the server supports it\(headless)."
    }

    /// Returns why the user has no browser that can be opened here and reaches this machine; nil if there may be one, or if the options or
    /// `AUTHHUB_BROWSER` say what to do.
    func missingBrowser(for profile: ProviderProfile, receiving redirectURI: RedirectURI) -> String? {
        guard asksForNothing, !headless, (ProcessInfo.processInfo.environment["AUTHHUB_BROWSER"] ?? "").isEmpty else { return nil }
        let callback = CallbackMethod(redirectURI, at: profile)
        let facts = BrowserFacts.here(for: callback)
        guard !facts.reach.allowsLoopbackSignIn, (try? BrowserChoice(for: wish(callback.kind), given: facts)) == nil else { return nil }
        return facts.reach.reason
    }

    /// The opener of the browser on this machine, for pages without a callback; nil if there is none.
    var openerHere: (any PageOpener)? {
        guard let choice = try? BrowserChoice(for: wish(.pinPage)), choice.browser != .byHand else { return nil }
        return choice.opener
    }

    private var asksForNothing: Bool { browser == nil && !ephemeral }

    private func wish(_ callback: CallbackMethod.Kind) -> BrowserRequirements {
        let isSwitchedOff = ProcessInfo.processInfo.environment["AUTHHUB_BROWSER"] == "none"
        let wanted: BrowserRequirements.Browser =
            switch browser {
            case nil: asksForNothing && callback != .https && isSwitchedOff ? .none : .default
            case "default": .default
            case "chromium": .chromium
            case "firefox": .firefox
            case "none": .none
            case let command?: .command(command)
            }
        return BrowserRequirements(callback: callback, ephemeral: ephemeral, browser: wanted)
    }

    private func hint(for callback: CallbackMethod, at profile: ProviderProfile) -> String {
        switch callback {
        case .customScheme(let scheme, _): return "authhub handler register \(scheme), or add --callback loopback"
        case .https: return "install chromium, or add --callback loopback"
        case .loopback, .pinPage:
            let byHand = "--browser none to open the page yourself"
            let ways = profile.isOnLoopback ? "\(byHand), or --headless for this server on your machine" : "or \(byHand)"
            return "add --browser CMD with a command that opens pages, \(ways)"
        }
    }

    private func headlessAuthenticator(
        for profile: ProviderProfile, isPinPage: Bool, to purpose: SignInNotice.Purpose, console: Console
    ) throws(Failure) -> BrowserAuthenticator {
        guard profile.isOnLoopback else {
            let others = [("--user", user != nil), ("--password-file", passwordFile != nil), ("--deny", deny)].filter(\.1)
            throw .usage(
                "--headless only works with servers on this machine; passwords of other servers should not be typed into a program",
                hint: "run the same command without --headless" + others.map { " and without \($0.0)" }.joined())
        }
        guard !isPinPage else {
            throw .usage(
                "--headless cannot paste what the provider's page shows",
                hint: "leave out --headless and paste it yourself, or add --callback loopback --port PORT with a registered port")
        }
        let password: Secret<String>
        if let passwordFile {
            password = try InputFile.passphrase(in: passwordFile, called: "password")
        } else if let value = ProcessInfo.processInfo.environment["AUTHHUB_HEADLESS_PASSWORD"], !value.isEmpty {
            password = Secret(value)
        } else {
            throw .usage("--headless needs a password", hint: "add --password-file FILE, or set AUTHHUB_HEADLESS_PASSWORD")
        }
        guard let user else { throw .usage("--headless needs a user name", hint: "add --user NAME") }
        let browser = HeadlessBrowser(
            filling: FormFilling(user: user, password: password, refuses: deny), transport: NetworkTransport.shared)
        return BrowserAuthenticator(
            opener: browser,
            onShow: {
                SignInNotice(url: $0, how: "the built-in user agent fills in the forms as \(user)", purpose: purpose).show(on: console)
            },
            onIgnored: { console.tellIgnored($0) })
    }

    private func shown(
        by choice: BrowserChoice, how: String, _ callback: CallbackMethod.Kind, to purpose: SignInNotice.Purpose,
        otherWays: String? = nil, _ console: Console
    ) -> BrowserAuthenticator {
        // The callbacks of a separate browser process need not be pasted.
        let pastePrompt =
            callback == .loopback || callback == .pinPage || !choice.capabilities.knowsCancel
            ? TerminalPaste(console, isPinPage: callback == .pinPage)?.prompt : nil
        return BrowserAuthenticator(
            opener: choice.opener, waitsWhenNotShown: console.isInteractive && (callback == .loopback || callback == .pinPage),
            onShow: {
                SignInNotice(
                    url: $0, how: how, purpose: purpose, canPaste: pastePrompt != nil, seesClosedPage: choice.capabilities.knowsCancel,
                    isPinPage: callback == .pinPage, otherWays: otherWays
                ).show(on: console)
            },
            onNotShown: {
                console.warn("the page did not open: \($0.message)")
                console.say("Open the page above yourself; this command keeps waiting.")
            },
            onIgnored: { console.tellIgnored($0) },
            onWait: { SignInReminder(canPaste: pastePrompt != nil, isPinPage: callback == .pinPage).show(on: console) },
            pastePrompt: pastePrompt)
    }
}

/// The message to the user before a browser starts, with the URL in case the browser does not.
struct SignInNotice {
    let url: String
    let how: String
    var purpose = Purpose.signIn
    /// Whether the user can paste the final URL.
    var canPaste = false
    /// Whether the user must paste it.
    var isPasted = false
    /// Whether the authenticator detects that the window is closed.
    var seesClosedPage = true

    enum Purpose: String, Sendable {
        case signIn = "Sign in"
        case signOut = "Sign out"

        fileprivate var noun: String { self == .signIn ? "sign-in" : "sign-out" }
    }

    /// Whether the page shows the code to paste.
    var isPinPage = false
    /// The ways to sign in without this page; nil if none should be suggested.
    var otherWays: String?

    private var waiting: String {
        if isPinPage {
            return "Copy the text that the page shows at the end.\(isPasted ? "" : " Press p here to paste it.") Ctrl-C cancels."
        }
        if isPasted { return "At the end, the browser may show a page that does not load; copy that page's URL. Ctrl-C cancels." }
        let closing = seesClosedPage ? "" : " This command cannot detect whether you close the page; if you do, open the URL above again."
        return canPaste
            ? "Waiting for the \(purpose.noun) to finish.\(closing) Press p to paste the URL that the browser is redirected to. Ctrl-C cancels."
            : "Waiting for the \(purpose.noun) to finish.\(closing) Ctrl-C cancels."
    }

    func show(on console: Console) {
        let url = withoutIDTokenHint(url)
        ToolNetwork.current.trace?.page(url, "\(purpose.rawValue.lowercased()): \(how)")
        guard console.format == .text else { return console.say(url) }
        let style = console.style
        console.say(
            "\(purpose.rawValue) on this page (\(how)):\n\n  \(style(url, .cyan))\n\n\(style(waiting, .faint))"
                + (otherWays.map { "\n" + style($0, .faint) } ?? ""), linking: url)
    }
}

extension ProviderProfile {
    /// Whether users sign in at a server on this machine.
    var isOnLoopback: Bool {
        (endpoints?.authorization ?? issuer).flatMap { Origin(url: $0) }?.isLoopback ?? false
    }
}
