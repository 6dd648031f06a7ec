import ArgumentParser
import AuthHub
import AuthHubPrimitives

struct ExecCommand: AccountChoosing {
    static let configuration = CommandConfiguration(
        commandName: "exec",
        abstract: "Run a command with an access token that stays fresh.",
        discussion: """
            The command gets the token in a variable, which cannot change while the command runs:
              authhub exec --env GH_TOKEN -- gh repo list

            With --file, the variable contains the path of a file in memory instead:
              authhub exec --file TOKEN_FILE --renew HUP -- ./server

            Only you can read the file. It is replaced before the token expires, and removed when the command ends.

            The tool passes its signals on to the command, and ends with the exit status of the command. The exit status is 127 if the \
            command does not exist, and 126 if it cannot run.
            """)

    @OptionGroup var account: AccountOptions

    @Option(help: ArgumentHelp("The variable for the token. (default: AUTHHUB_TOKEN)", valueName: "name"))
    var env: String?

    @Option(help: ArgumentHelp("The variable for the path of a file with the token.", valueName: "name"))
    var file: String?

    @Option(
        help: ArgumentHelp(
            """
            The action after a refresh: HUP sends SIGHUP to the command (requires --file); restart ends the command with SIGTERM and \
            starts it again (not with --file). (default: none)
            """, valueName: "action"))
    var renew: RenewalAction?

    @OptionGroup(title: "Network") var network: NetworkOptions
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
        // Before anything else opens files, such as the network, or ignores signals.
        let surroundings = ChildProgram.Surroundings(ignoredBefore: Interruption.current?.ignoredBefore ?? [])
        try await network.use(console) { () async throws(Failure) in
            try await choosing { (command) async throws(Failure) in try await command.run(in: surroundings, console) }
        }
    }

    private func run(in surroundings: ChildProgram.Surroundings, _ console: Console) async throws(Failure) {
        let account = try await SignedInAccount.open(account)
        let token: AccessToken
        do {
            token = try await account.session.accessToken()
        } catch {
            throw await account.failure(error)
        }
        // From here on, signals are passed on to the command.
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
        // If a refresh is in progress, its tokens must be stored.
        await account.session.finish()
        ending.adopt()
    }

    private static func isVariable(_ name: String) -> Bool {
        name.utf8.first?.isASCIIDigit == false
            && name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
    }
}

enum RenewalAction: String, ExpressibleByArgument, CaseIterable, Sendable {
    case hangUp = "HUP"
    case restart
}
