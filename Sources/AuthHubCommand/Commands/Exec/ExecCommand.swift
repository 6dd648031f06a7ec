import ArgumentParser
import AuthHub
import AuthHubPrimitives

struct ExecCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec",
        abstract: "Run a command with an access token that stays fresh.",
        discussion: """
            The command gets the token in a variable, which cannot change while the command runs:
              authhub exec --env NPM_TOKEN -- npm ci

            With --file, the variable contains the path of a file in memory instead:
              authhub exec --file TOKEN_FILE --renew HUP -- ./server

            Only you \
            can read the file. It is replaced before the token expires, and removed when the command ends.

            The command gets the signals that are sent to the tool, and the exit status is that of the command. It is 127 if the command \
            does not exist, and 126 if it cannot run.
            """)

    @OptionGroup var account: AccountOptions

    @Option(help: ArgumentHelp("The variable for the token. (default: AUTHHUB_TOKEN)", valueName: "name"))
    var env: String?

    @Option(help: ArgumentHelp("The variable for the path of a file with the token.", valueName: "name"))
    var file: String?

    @Option(
        help: ArgumentHelp(
            """
            What happens when there is a new token: HUP sends SIGHUP to the command (with --file); restart ends the command with SIGTERM \
            and starts it again (without --file). (default: the command is not notified)
            """, valueName: "action"))
    var renew: RenewalAction?

    @OptionGroup var output: OutputOptions

    @Argument(parsing: .postTerminator, help: "The command and its arguments, after --.")
    var command: [String] = []

    func validate() throws {
        guard !command.isEmpty else { throw ValidationError("Type the command after --, as in: authhub exec -- ./server --port 80") }
        guard env == nil || file == nil else { throw ValidationError("--env cannot be used with --file.") }
        guard [env, file].allSatisfy({ $0.map(Self.isVariable) ?? true }) else {
            throw ValidationError("The name of a variable consists of ASCII letters, digits and _, and does not begin with a digit.")
        }
        switch renew {
        case .hangUp where file == nil: throw ValidationError("--renew HUP requires --file: the command cannot read its variable again.")
        case .restart where file != nil:
            throw ValidationError("--renew restart cannot be used with --file, which the command can read again.")
        default: break
        }
    }

    func perform(_ console: Console) async throws(Failure) {
        // Before anything else opens files, or ignores signals.
        let surroundings = ChildProgram.Surroundings(ignoredBefore: Interruption.current?.ignoredBefore ?? [])
        let account = try await SignedInAccount.open(account)
        let token: AccessToken
        do {
            token = try await account.session.accessToken()
        } catch {
            throw await account.failure(error)
        }
        // From here on, signals are for the command.
        SignalRelay.start(ignoring: surroundings.ignoredSignals)
        await Interruption.current?.release()
        guard !Task.isCancelled else { throw .interrupted }
        let run = CommandRun(
            words: ProcessArguments.raw(last: command), surroundings: surroundings,
            renewal: TokenRenewal(account: account, console: console))
        let ending =
            if let file {
                try await run.withFile(token, variable: file, sendsHangUp: renew == .hangUp)
            } else {
                try await run.withVariable(token, variable: env ?? TokenFormat.variable, restarts: renew == .restart)
            }
        // A refresh that was sent is completed and stored.
        await account.session.finish()
        ending.adopt()
    }

    private static func isVariable(_ name: String) -> Bool {
        name.utf8.first.map { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: byte == UInt8(ascii: "_")
                }
            }
    }
}

enum RenewalAction: String, ExpressibleByArgument, CaseIterable, Sendable {
    case hangUp = "HUP"
    case restart
}
