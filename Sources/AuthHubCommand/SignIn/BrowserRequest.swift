import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import HeadlessBrowsing
import OAuthProtocol
import Platform
import WebAuthentication

/// The browser that shows the page, and how long the user may take.
struct BrowserRequest: Sendable {
    /// `default`, `chromium`, `firefox`, `none`, or a command; nil for the environment's choice.
    var browser: String?
    var isEphemeral = false
    /// Whether the built-in user agent fills in the forms.
    var isHeadless = false
    var user: String?
    var passwordFile: String?
    var denies = false
    /// In seconds.
    var timeout: Int?

    static let defaultTimeout = 300
}

extension BrowserRequest {
    /// The options that choose the browser, as they were typed, with a space before them; empty if none was.
    var suffix: String {
        var words: [String] = []
        if let browser { words += ["--browser", browser] }
        if isEphemeral { words.append("--ephemeral") }
        if isHeadless { words.append("--headless") }
        if let user { words += ["--user", user] }
        if let passwordFile { words += ["--password-file", passwordFile] }
        return words.map { " " + $0.shellWord }.joined()
    }

    /// Returns an authenticator.
    ///
    /// - Throws: ``Failure`` if nothing can show the page and there is no user to open it, or no callback can be received.
    func authenticator(
        for profile: ProviderProfile, receiving redirectURI: RedirectURI, to purpose: SignInNotice.Purpose = .signIn, console: Console,
        trace: Trace?
    ) throws(Failure) -> BrowserAuthenticator {
        let callback = CallbackMethod(redirectURI, at: profile)
        if isHeadless {
            return try headlessAuthenticator(for: profile, isPinPage: callback.kind == .pinPage, to: purpose, console, trace)
        }
        guard callback.kind != .pinPage || console.isInteractive else {
            throw Failure(
                "cannot_sign_in_here", .failed, "the provider's page shows text to paste, but standard input is not a terminal",
                hint: "add --flow paste and write what the page shows to standard input")
        }
        let facts = BrowserFacts.here(for: callback)
        do {
            let choice = try BrowserChoice(for: requirements(callback.kind), given: facts)
            return shown(by: choice, how: choice.reason, callback.kind, to: purpose, console, trace)
        } catch {
            let byHand = BrowserRequirements(callback: callback.kind, browser: .none)
            if asksForNothing, console.isInteractive, let choice = try? BrowserChoice(for: byHand, given: facts) {
                return shown(
                    by: choice, how: "no browser is started, because \(facts.problemOfSetting ?? facts.reach.reason)", callback.kind,
                    to: purpose, otherWays: purpose == .signIn && callback.kind == .loopback ? Self.otherWays(at: profile) : nil, console,
                    trace)
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
        guard asksForNothing, !isHeadless, (ProcessInfo.processInfo.environment["AUTHHUB_BROWSER"] ?? "").isEmpty else { return nil }
        let callback = CallbackMethod(redirectURI, at: profile)
        let facts = BrowserFacts.here(for: callback)
        guard !facts.reach.allowsLoopbackSignIn, (try? BrowserChoice(for: requirements(callback.kind), given: facts)) == nil else {
            return nil
        }
        return facts.reach.reason
    }

    /// The opener of the browser on this machine, for pages without a callback; nil if there is none.
    var openerHere: (any PageOpener)? {
        guard let choice = try? BrowserChoice(for: requirements(.pinPage)), choice.browser != .byHand else { return nil }
        return choice.opener
    }

    private var asksForNothing: Bool { browser == nil && !isEphemeral }

    private func requirements(_ callback: CallbackMethod.Kind) -> BrowserRequirements {
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
        return BrowserRequirements(callback: callback, ephemeral: isEphemeral, browser: wanted)
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
        for profile: ProviderProfile, isPinPage: Bool, to purpose: SignInNotice.Purpose, _ console: Console, _ trace: Trace?
    ) throws(Failure) -> BrowserAuthenticator {
        guard profile.isOnLoopback else {
            let others = [("--user", user != nil), ("--password-file", passwordFile != nil), ("--deny", denies)].filter(\.1)
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
            filling: FormFilling(user: user, password: password, refuses: denies), transport: NetworkTransport.shared)
        return BrowserAuthenticator(
            opener: browser,
            onShow: {
                SignInNotice(url: $0, how: "the built-in user agent fills in the forms as \(user)", purpose: purpose).show(
                    on: console, trace)
            },
            onIgnored: { console.tellIgnored($0) })
    }

    private func shown(
        by choice: BrowserChoice, how: String, _ callback: CallbackMethod.Kind, to purpose: SignInNotice.Purpose,
        otherWays: String? = nil, _ console: Console, _ trace: Trace?
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
                ).show(on: console, trace)
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
