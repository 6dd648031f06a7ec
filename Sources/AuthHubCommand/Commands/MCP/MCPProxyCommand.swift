import ArgumentParser
import AuthHubPrimitives
import OAuthProtocol
import Synchronization

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

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
        // Standard input carries the messages, even on a terminal.
        var quiet = console
        quiet.isInteractive = false
        let access = RemoteAccess(url, account, loopback, browser, quiet)
        let reply = { @Sendable (message: [UInt8]) in
            // Line breaks in JSON are only between its tokens.
            let line = message.map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 } + [0x0A]
            output.withLock { _ in console.put(line) }
        }
        let conversation = RemoteConversation(at: url, by: access, quiet, reply: reply)
        if isatty(STDIN_FILENO) != 0 {
            console.say("Waiting for JSON-RPC messages on standard input. Hosts start this command; see: authhub help mcp proxy")
        }
        let forwarding = Task { await forward(to: conversation, reply) }
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
        await conversation.close()
        await access.finish()
    }

    /// Forwards the messages on standard input until it ends, or the task is cancelled.
    private func forward(to conversation: RemoteConversation, _ reply: @escaping @Sendable ([UInt8]) -> Void) async {
        await withTaskCancellationHandler {
            await withDiscardingTaskGroup { group in
                for await line in InputLines.stream() {
                    guard let message = RemoteMessage(line) else {
                        let isJSON = (try? JSONValue(strict: line)) != nil
                        reply(
                            RemoteMessage.error(
                                code: isJSON ? RemoteMessage.invalidRequest : RemoteMessage.parseError,
                                "the line is not a single JSON-RPC message", id: .null))
                        continue
                    }
                    let work = await conversation.start(message)
                    group.addTask { await work.value }
                }
                await conversation.endInput()
            }
        } onCancel: {
            Task { await conversation.cancel() }
        }
    }
}
