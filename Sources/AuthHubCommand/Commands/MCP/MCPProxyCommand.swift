import ArgumentParser
import AuthHubPrimitives
import OAuthProtocol
import Synchronization

struct MCPProxyCommand: AccountCommand, NetworkCommand {
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
        let output = Mutex(())
        let access = RemoteAccess(url, account, loopback, browser, console)
        let conversation = RemoteConversation(at: url, by: access, console) { message in
            // Line breaks in JSON are only between its tokens.
            let line = message.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 } + [0x0A]
            output.withLock { _ in console.put(line) }
        }
        await withDiscardingTaskGroup { group in
            for await line in InputLines.stream() {
                guard let message = RemoteMessage(line) else {
                    let error = RemoteMessage.error(
                        code: RemoteMessage.invalidRequest, "the line is not a single JSON-RPC message", id: .null)
                    output.withLock { _ in console.put(error + [0x0A]) }
                    continue
                }
                // All other messages depend on them.
                if ["initialize", "notifications/initialized"].contains(message.method) {
                    await conversation.pass(message)
                } else {
                    group.addTask { await conversation.pass(message) }
                }
            }
            if Task.isCancelled { group.cancelAll() } else { await conversation.endSubscriptions() }
        }
        await conversation.close()
        await access.finish()
    }
}
