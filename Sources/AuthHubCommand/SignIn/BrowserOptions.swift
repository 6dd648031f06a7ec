import ArgumentParser
import AsyncHTTPClientTransport
import AuthHubPrimitives
import AuthHubTesting
import OAuthProtocol
import WebAuthentication

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Who shows the page.
struct BrowserOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The command that opens the page; it gets the address as its last argument. \"none\" leaves it to you.", valueName: "cmd|none"))
    var browser: String?

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

    @Option(help: ArgumentHelp("How long you may take to sign in.", valueName: "seconds"))
    var timeout = 300

    func validate() throws {
        guard (1...3600).contains(timeout) else { throw ValidationError("--timeout takes 1 to 3600 seconds.") }
        guard !headless || browser == nil else { throw ValidationError("--headless and --browser exclude each other.") }
        guard headless || (user == nil && passwordFile == nil && !deny) else {
            throw ValidationError("--user, --password-file and --deny belong to --headless.")
        }
    }
}

extension BrowserOptions {
    /// - Throws: ``Failure`` where nothing can show the page and nobody is there to do it by hand.
    func authenticator(
        for profile: ProviderProfile, to purpose: SignInNotice.Purpose = .signIn, console: Console
    ) throws(Failure) -> BrowserAuthenticator {
        if headless { return try headlessAuthenticator(for: profile, to: purpose, console: console) }
        let environment = ProcessInfo.processInfo.environment
        let choice = browser ?? environment["AUTHHUB_BROWSER"].flatMap { $0.isEmpty ? nil : $0 }
        if choice == "none" {
            return shownByHand("no browser is started, as you asked", to: purpose, console)
        }
        if let choice {
            return shown(by: SystemBrowser(command: choice), "it is opened with \(choice)", to: purpose, console)
        }
        let reach = BrowserReach.here
        if reach.allowsLoopbackSignIn {
            return shown(by: SystemBrowser(), "it opens in your browser: \(reach.reason)", to: purpose, console)
        }
        guard console.isInteractive else {
            throw Failure(
                "cannot_sign_in_here", .failed, "no browser can open here and bring the answer back: \(reach.reason)",
                hint: "add --browser CMD with a command that opens pages, --browser none to open the page by hand"
                    + (profile.isOnLoopback ? ", or --headless for this server on your machine" : ""))
        }
        return shownByHand("no browser is started: \(reach.reason)", to: purpose, console)
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
        return BrowserAuthenticator(opener: browser) { url in
            SignInNotice(url: url, how: "the built-in user agent fills it in as \(user)", purpose: purpose).show(on: console)
        }
    }

    private func shownByHand(_ how: String, to purpose: SignInNotice.Purpose, _ console: Console) -> BrowserAuthenticator {
        let pastePrompt = TerminalPaste(console)?.prompt
        return BrowserAuthenticator(
            opener: SystemBrowser(command: "none"), waitsWhenNotShown: true,
            onShow: { url in
                SignInNotice(url: url, how: "\(how); open it in a browser", purpose: purpose, canPaste: pastePrompt != nil).show(
                    on: console)
            }, pastePrompt: pastePrompt)
    }

    private func shown(
        by opener: some PageOpener, _ how: String, to purpose: SignInNotice.Purpose, _ console: Console
    ) -> BrowserAuthenticator {
        let pastePrompt = TerminalPaste(console)?.prompt
        return BrowserAuthenticator(
            opener: opener, waitsWhenNotShown: console.isInteractive,
            onShow: { url in SignInNotice(url: url, how: how, purpose: purpose, canPaste: pastePrompt != nil).show(on: console) },
            pastePrompt: pastePrompt)
    }
}

/// What a person sees before a browser starts: the address, in case the browser does not.
struct SignInNotice {
    let url: String
    let how: String
    var purpose = Purpose.signIn
    /// Whether the address that the browser ends at can be given by hand.
    var canPaste = false

    enum Purpose: String, Sendable {
        case signIn = "Sign in"
        case signOut = "Sign out"
    }

    private var waiting: String {
        canPaste
            ? "Waiting for the answer. Press p to paste the address that the browser ends at, where it cannot come by itself. Ctrl-C cancels."
            : "Waiting for the answer. Ctrl-C cancels."
    }

    func show(on console: Console) {
        guard console.format == .text else { return console.say(url) }
        let style = console.style
        console.say(
            "\(purpose.rawValue) on this page (\(how)):\n\n  \(style(url, .cyan))\n\n\(style(waiting, .faint))"
        )
    }
}

extension BrowserReach {
    /// What holds for this process.
    static var here: Self {
        let isContainer = ["/.dockerenv", "/run/.containerenv"].contains { FileManager.default.fileExists(atPath: $0) }
        return Self(environment: ProcessInfo.processInfo.environment, isContainer: isContainer)
    }
}

extension ProviderProfile {
    /// Whether people sign in at a server on this machine.
    var isOnLoopback: Bool {
        (endpoints?.authorization ?? issuer).flatMap { Origin(url: $0) }?.isLoopback ?? false
    }
}
