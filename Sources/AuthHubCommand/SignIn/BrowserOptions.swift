import ArgumentParser
import AsyncHTTPClientTransport
import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import OAuthProtocol
import WebAuthentication

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The options for the browser that shows the page.
struct BrowserOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Which browser: default, chromium, firefox, a command that gets the address as its last argument, or none to open the page yourself.",
            valueName: "name|cmd"))
    var browser: String?

    @Flag(help: "Use a browser that knows nothing of your other sessions, and keeps nothing of this one.")
    var ephemeral = false

    @Flag(help: "Let the built-in user agent fill in the forms; for servers on this machine only.")
    var headless = false

    @Option(help: ArgumentHelp("With --headless: who signs in.", valueName: "name"))
    var user: String?

    @Option(
        help: ArgumentHelp(
            "With --headless: a file with the password, or - for standard input; else AUTHHUB_HEADLESS_PASSWORD.", valueName: "file|-"))
    var passwordFile: String?

    @Flag(help: "With --headless: refuse the access where the server asks for consent.")
    var deny = false

    @Option(
        help: ArgumentHelp(
            "How long you may take to sign in. Default: 300; with --flow device for as long as the code is good.", valueName: "seconds"))
    var timeout: Int?

    static let defaultTimeout = 300

    func validate() throws {
        guard (1...3600).contains(timeout ?? Self.defaultTimeout) else { throw ValidationError("--timeout takes 1 to 3600 seconds.") }
        guard !headless || (browser == nil && !ephemeral) else {
            throw ValidationError("--headless excludes --browser and --ephemeral.")
        }
        guard headless || (user == nil && passwordFile == nil && !deny) else {
            throw ValidationError("--user, --password-file and --deny belong to --headless.")
        }
    }
}

extension BrowserOptions {
    /// Returns an authenticator.
    ///
    /// - Throws: ``Failure`` if nothing can show the page and there is no user to open it, or no callback can be received.
    func authenticator(
        for profile: ProviderProfile, receiving redirectURI: RedirectURI, to purpose: SignInNotice.Purpose = .signIn, console: Console
    ) throws(Failure) -> BrowserAuthenticator {
        if headless { return try headlessAuthenticator(for: profile, to: purpose, console: console) }
        let callback = CallbackMethod(redirectURI, at: profile)
        guard callback.kind != .pinPage || console.isInteractive else {
            throw Failure(
                "cannot_sign_in_here", .failed, "the provider's page shows what is to be pasted, and this is no terminal to paste it in",
                hint: "add --flow paste, and give what the page shows on standard input")
        }
        let facts = BrowserFacts.here(for: callback)
        do {
            let choice = try BrowserChoice(for: wish(callback.kind), given: facts)
            return shown(by: choice, how: choice.reason, callback.kind, to: purpose, console)
        } catch {
            let byHand = BrowserWish(callback: callback.kind, browser: .none)
            if asksForNothing, console.isInteractive, let choice = try? BrowserChoice(for: byHand, given: facts) {
                return shown(
                    by: choice, how: "no browser is started: \(facts.problemOfSetting ?? facts.reach.reason)", callback.kind, to: purpose,
                    console)
            }
            throw Failure(
                "cannot_sign_in_here", .failed, error.explanation ?? error.code.description, hint: hint(for: callback, at: profile))
        }
    }

    private var asksForNothing: Bool { browser == nil && !ephemeral }

    private func wish(_ callback: CallbackMethod.Kind) -> BrowserWish {
        let isSwitchedOff = ProcessInfo.processInfo.environment["AUTHHUB_BROWSER"] == "none"
        let wanted: BrowserWish.Browser =
            switch browser {
            case nil: asksForNothing && callback != .https && isSwitchedOff ? .none : .default
            case "default": .default
            case "chromium": .chromium
            case "firefox": .firefox
            case "none": .none
            case let command?: .command(command)
            }
        return BrowserWish(callback: callback, ephemeral: ephemeral, browser: wanted)
    }

    private func hint(for callback: CallbackMethod, at profile: ProviderProfile) -> String {
        switch callback {
        case .customScheme(let scheme, _): return "authhub handler register \(scheme), or --callback loopback"
        case .https: return "install chromium, or --callback loopback"
        case .loopback, .pinPage:
            return "add --browser CMD with a command that opens pages, --browser none to open the page by hand"
                + (profile.isOnLoopback ? ", or --headless for this server on your machine" : "")
        }
    }

    private func headlessAuthenticator(
        for profile: ProviderProfile, to purpose: SignInNotice.Purpose, console: Console
    ) throws(Failure) -> BrowserAuthenticator {
        guard profile.isOnLoopback else {
            throw .usage(
                "--headless is for servers on this machine: no other should have its password typed into a program",
                hint: "authhub login without --headless")
        }
        let password: Secret<String>
        if let passwordFile {
            password = try InputFile.secret(in: passwordFile)
        } else if let value = ProcessInfo.processInfo.environment["AUTHHUB_HEADLESS_PASSWORD"], !value.isEmpty {
            password = Secret(value)
        } else {
            throw .usage("--headless needs a password", hint: "add --password-file FILE, or set AUTHHUB_HEADLESS_PASSWORD")
        }
        guard let user else { throw .usage("--headless needs to know who signs in", hint: "add --user NAME") }
        let browser = HeadlessBrowser(
            filling: FormFilling(user: user, password: password, refuses: deny), transport: NetworkTransport.shared)
        return BrowserAuthenticator(
            opener: browser,
            onShow: { SignInNotice(url: $0, how: "the built-in user agent fills it in as \(user)", purpose: purpose).show(on: console) },
            onIgnored: { console.tellIgnored($0) })
    }

    private func shown(
        by choice: BrowserChoice, how: String, _ callback: CallbackMethod.Kind, to purpose: SignInNotice.Purpose, _ console: Console
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
                    isPinPage: callback == .pinPage
                ).show(on: console)
            },
            onNotShown: {
                console.warn("the page did not open: \($0.explanation ?? $0.code.description)")
                console.say("Open the page above yourself: this command keeps waiting.")
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
    }

    /// Whether the page shows the code to paste.
    var isPinPage = false

    private var waiting: String {
        if isPinPage { return "Copy what the page shows at the end.\(isPasted ? "" : " Press p here to paste it.") Ctrl-C cancels." }
        if isPasted { return "The browser ends at a page that may not load: what is needed is that page's address. Ctrl-C cancels." }
        let closing = seesClosedPage ? "" : " If you closed the page, open the URL above again: this command cannot see that."
        return canPaste
            ? "Waiting for the answer.\(closing) Press p to paste the address that the browser ends at. Ctrl-C cancels."
            : "Waiting for the answer.\(closing) Ctrl-C cancels."
    }

    func show(on console: Console) {
        guard console.format == .text else { return console.say(url) }
        let style = console.style
        console.say(
            "\(purpose.rawValue) on this page (\(how)):\n\n  \(style(url, .cyan))\n\n\(style(waiting, .faint))"
        )
    }
}

extension ProviderProfile {
    /// Whether users sign in at a server on this machine.
    var isOnLoopback: Bool {
        (endpoints?.authorization ?? issuer).flatMap { Origin(url: $0) }?.isLoopback ?? false
    }
}
