import ArgumentParser
import AuthHubPrimitives
import HTTPTypes
import ModelContextProxy
import Platform

struct MCPProxyCommand: AccountChoosing {
    static let configuration = CommandConfiguration(
        commandName: "proxy",
        abstract: "Connect a host that only supports local MCP servers to a remote one.",
        discussion: """
            Hosts start this command as if it were a local server: it forwards the messages on standard input and output, with the \
            tokens of the account for the URL. If no one is signed in, or if the server requires more scope, it opens the sign-in page. Any \
            number of processes share one sign-in and one refresh.

            In the settings of a host:
              "command": "authhub", "args": ["mcp", "proxy", "https://mcp.example.com/mcp"]
            """)

    @Argument(help: ArgumentHelp("The server's https URL.", valueName: "url"))
    var url: String

    @Option(
        help: ArgumentHelp(
            "A header field that is sent with each message, with the value in a file or a variable, such as Authorization=@FILE; may be repeated.",
            valueName: "name=@file|name=$variable"))
    var header: [String] = []

    @Option(name: .customLong(DetachedSignIn.Option.url.rawValue), help: .private)
    var signInURL: String?

    @Option(name: .customLong(DetachedSignIn.Option.challenge.rawValue), help: .private)
    var signInChallenge: String?

    @Option(name: .customLong(DetachedSignIn.Option.rejected.rawValue), help: .private)
    var signInRejected: String?

    @OptionGroup var account: AccountOptions
    @OptionGroup var loopback: LoopbackOptions
    @OptionGroup(title: "Browser") var browser: BrowserOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    var requestURL: String? { url }
    var endsBySignal: Bool { true }

    func validate() throws {
        guard browser.passwordFile != "-" else {
            throw ValidationError("--password-file cannot be standard input, which carries the messages.")
        }
    }

    func perform(_ console: Console) async throws(Failure) {
        try loopback.check(url, "the server's URL", hint: "authhub mcp proxy https://HOST/PATH")
        let fields = try header.map { text throws(Failure) in try HeaderOption(text) }
        // Before anything else opens files, such as the network.
        let surroundings = ChildProgram.Surroundings(ignoredBefore: Interruption.current?.ignoredBefore ?? [])
        // Standard input carries the messages, even on a terminal.
        var quiet = console
        quiet.isInteractive = false
        try await network.use(quiet) { [quiet] () async throws(Failure) in
            try await choosing { (command) async throws(Failure) in
                if let place = signInURL {
                    await command.signIn(at: place, quiet)
                } else {
                    await command.forward(fields, surroundings, quiet)
                }
            }
        }
    }

    /// Signs in for another process.
    private func signIn(at place: String, _ console: Console) async {
        let reason = ResourceSignIn.Reason(url: place, challenge: signInChallenge ?? "", rejected: signInRejected)
        let result: Result<ResourceSignIn.Outcome, Failure>
        do throws(Failure) {
            // A host that has started the proxy again must not get a second page.
            result = .success(
                try await ResourceSignIn(reason, account, loopback, browser).perform(console, isWanted: { !HostWatch.hasEnded }))
        } catch {
            result = .failure(error)
        }
        console.put(DetachedSignIn.report(result))
    }

    private func forward(_ fields: [HeaderOption], _ surroundings: ChildProgram.Surroundings, _ console: Console) async {
        let signIn = DetachedSignIn(
            arguments: ProcessArguments.command ?? [], loginOptions: loopback.suffix + account.chosenSuffix, surroundings: surroundings)
        let fields = HTTPFields(fields.map(\.field))
        let remote = RemoteAccount(url, account, loopback, isUsed: fields[.authorization] == nil) { (reason) async throws(Failure) in
            try await signIn.perform(reason)
        }
        let connection = ProxyConnection(to: url, adding: fields, login: remote.login, account: remote) { output in
            switch output {
            // Line breaks in JSON are only between its tokens.
            case .message(let message): console.put(message.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 } + [0x0A])
            case .warning(let text): console.warn(text)
            case .failure(let failure): console.report(Failure(failure))
            }
        }
        if isatty(STDIN_FILENO) != 0 {
            console.say("Waiting for JSON-RPC messages on standard input. Hosts start this command; see: authhub help mcp proxy")
        }
        let forwarding = Task { await connection.run(InputLines.stream()) }
        // A host that has been killed does not wait for responses, and its user not for a page.
        let watch = Task {
            await HostWatch.untilEnd()
            forwarding.cancel()
        }
        await withTaskCancellationHandler {
            await forwarding.value
        } onCancel: {
            forwarding.cancel()
        }
        watch.cancel()
        await remote.finish()
    }
}
