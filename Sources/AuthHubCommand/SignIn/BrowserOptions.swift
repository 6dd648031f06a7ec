import ArgumentParser

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

    func validate() throws {
        guard (1...3600).contains(timeout ?? BrowserRequest.defaultTimeout) else {
            throw ValidationError("--timeout must be 1 to 3600 seconds.")
        }
        guard !headless || (browser == nil && !ephemeral) else {
            throw ValidationError("--headless cannot be used with --browser or --ephemeral.")
        }
        guard headless || (user == nil && passwordFile == nil && !deny) else {
            throw ValidationError("--user, --password-file and --deny need --headless.")
        }
    }

    var request: BrowserRequest {
        BrowserRequest(
            browser: browser, isEphemeral: ephemeral, isHeadless: headless, user: user, passwordFile: passwordFile, denies: deny,
            timeout: timeout)
    }
}
