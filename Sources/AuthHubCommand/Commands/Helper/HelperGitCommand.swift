import ArgumentParser
import AuthHubPrimitives

struct HelperGitCommand: NetworkCommand {
    static let configuration = CommandConfiguration(
        commandName: "git",
        abstract: "Answer git's requests for credentials (see git help gitcredentials).",
        discussion: """
            git runs this command itself; "authhub setup git" configures it. It reads attributes from standard input, and answers only for \
            https servers of a signed-in account. A token that is about to expire is refreshed first.

            If several accounts have tokens for a server, the user name in the URL selects one by its label or user name. Otherwise, git's \
            configuration does, or one of your rules (see authhub help accounts):
              git config authhub.account NAME

            If the user has to sign in and git runs in a terminal, this command opens the sign-in page; other git processes wait for it. \
            It does not if GIT_TERMINAL_PROMPT is 0, CI is set, or git's configuration has credential.interactive=false. After a sign-in \
            that was cancelled or denied, git stops, and no page opens for 30 seconds.

            A link to this program with the name git-credential-authhub runs this command.
            """)

    @Argument(
        help: ArgumentHelp(
            "What git needs: get, store, erase or capability. Any other operation is ignored.", valueName: "operation"))
    var operation: String

    @OptionGroup var account: AccountOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    /// Reports a failure on one line of standard error, and succeeds: git ignores the exit status, and continues without credentials.
    func perform(_ console: Console) async throws(Failure) {
        do throws(Failure) {
            try await answer(on: console)
        } catch {
            guard error.exit != .interrupted else { throw error }
            console.reportOnOneLine(error)
        }
    }

    private func answer(on console: Console) async throws(Failure) {
        guard operation != "capability" else {
            return console.put("version 0\ncapability authtype\ncapability state")
        }
        let bytes = try InputFile.contents(of: "-", limit: GitCredentialRequest.sizeLimit)
        switch operation {
        case "get":
            try await get(try GitCredentialRequest(bytes), console)
        case "erase":
            for label in try await GitCredentials(options: account).refresh(try GitCredentialRequest(bytes)) where console.format == .text {
                console.say("authhub: the server rejected the token of “\(label)”, which was refreshed; run the same command again")
            }
        // "store" reports a token that this command has just written. Newer versions of git may have other operations.
        default: break
        }
    }
}
