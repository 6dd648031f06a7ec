import ArgumentParser
import AuthHubPrimitives
import CredentialStorage

/// A run of the tool, from the arguments to the exit status.
struct ToolRun: Sendable {
    private let arguments: [String]

    init(_ arguments: [String]) {
        self.arguments = arguments
    }

    /// Runs the command; errors are reported on standard error.
    func finish() async -> Int32 {
        // What a completion script asks for, while the user types.
        if arguments.first == "---completion" { return await complete() }
        if let failure = unknownCommandInHelp {
            Console(OutputOptions.guessed(from: arguments)).report(failure)
            return ExitStatus.usage.rawValue
        }
        let command: any ParsableCommand
        do {
            command = try RootCommand.parseAsRoot(arguments)
        } catch {
            return report(parsing: error)
        }
        guard let command = command as? any ToolCommand else { return runByParser(command) }
        let console = Console(command.output)
        let interruption = Interruption()
        let (signalsAreTaken, start) = AsyncStream.makeStream(of: Never.self)
        let work = Task {
            for await _ in signalsAreTaken {}
            return await LockWait.$current.withValue(LockWait { console.tellWait(for: $0) }) {
                await PassphraseAttempts.$current.withValue(PassphraseAttempts { HiddenLine.finish() }) {
                    await SecretFileWarnings.$current.withValue(SecretFileWarnings { console.warn($0) }) {
                        await Console.$notices.withValue(console.noticeLogger) {
                            await Interruption.$current.withValue(interruption) { await command.outcome(console) }
                        }
                    }
                }
            }
        }
        let end = CancellationFlag()
        let endsBySignal = command.endsBySignal
        await interruption.begin(heeding: {
            work.cancel()
            HiddenLine.interruption.set()
            guard !endsBySignal else { return }
            Task { await tellWhatIsAwaited(by: interruption, until: end, console) }
        })
        start.finish()
        let outcome = await work.value.flatMap { status in console.dataLoss.failure.map(Result.failure) ?? .success(status) }
        end.set()
        RawTerminal.restore(forGood: true)
        // An interrupted command does not wait for the reader of its messages.
        if case .failure(let failure) = outcome, let interrupted = interruption.status, !StandardStreams.haveRoomForMessages {
            let isCheck = failure.exit == .securityCheckFailed && interrupted == .interrupted
            return (isCheck ? failure.exit : interrupted).rawValue
        }
        switch (outcome, interruption.status) {
        case (.success(let status), nil): return status.rawValue
        case (.success(let status), let interrupted?): return command.endsBySignal ? status.rawValue : interrupted.rawValue
        case (.failure(let failure), nil):
            console.report(failure)
            return failure.exit.rawValue
        // If other programs have interfered with a sign-in, notify a user who cancels it.
        case (.failure(let failure), .interrupted) where failure.exit == .securityCheckFailed:
            if console.isInteractive { console.say("") }
            console.report(failure)
            return failure.exit.rawValue
        case (.failure, let interrupted?):
            // The terminal shows ^C at the cursor.
            if console.isInteractive { console.say("") }
            // A user who pressed Ctrl-C needs no advice.
            let hint = interrupted == .interrupted && console.format == .text ? "" : "run the same command again"
            console.report(Failure("interrupted", interrupted, "interrupted", hint: hint))
            return interrupted.rawValue
        }
    }

    /// Tells the user what the interrupted command is waiting for. Most commands end immediately. Otherwise, the command is waiting for
    /// the response to a request that may have used up the old tokens.
    private func tellWhatIsAwaited(by interruption: Interruption, until end: CancellationFlag, _ console: Console) async {
        try? await Task.sleep(for: Interruption.oneGo)
        guard !end.isSet, console.format == .text || console.isInteractive, let again = interruption.status?.again,
            StandardStreams.haveRoomForMessages
        else { return }
        // The terminal shows ^C at the cursor.
        if console.isInteractive { console.say("") }
        console.say("Waiting for the server's response, so that no token is lost. \(again) to stop immediately.")
    }

    /// The failure for a word after `help` that is not a command. The parser would ignore it and show the help of the command before it.
    private var unknownCommandInHelp: Failure? {
        guard arguments.first == "help" else { return nil }
        let command = TypedCommand(arguments.filter { $0 != "help" })
        return command.rest.first.map { command.unknown($0) }
    }

    /// Prints the words for an argument. Errors are not reported, because a message would disturb the command line.
    private func complete() async -> Int32 {
        CompletionWords.$current.withValue(await .stored(for: arguments)) {
            do {
                _ = try RootCommand.parseAsRoot(arguments)
                return ExitStatus.usage.rawValue
            } catch {
                let status = RootCommand.exitCode(for: error)
                return status.isSuccess ? report(parsing: error) : status.rawValue
            }
        }
    }

    /// Runs `help`, or the tool without a command.
    private func runByParser(_ command: any ParsableCommand) -> Int32 {
        var command = command
        do {
            try command.run()
            return ExitStatus.done.rawValue
        } catch {
            return report(parsing: error)
        }
    }

    /// Removes tokens that were typed by mistake from the parser's messages.
    private var redaction: Redaction {
        Redaction(arguments.compactMap { $0.split(separator: "=").last }.filter(UnverifiedToken.isLikely).map(String.init))
    }

    /// Reports a parser's result. Help and version are written to standard output; everything else is an error in the arguments.
    private func report(parsing error: any Error) -> Int32 {
        let status = RootCommand.exitCode(for: error)
        let console = Console(OutputOptions.guessed(from: arguments))
        if status.isSuccess {
            console.put(RootCommand.fullMessage(for: error))
            guard let failure = console.dataLoss.failure else { return status.rawValue }
            console.report(failure)
            return failure.exit.rawValue
        } else if let failure = TypedCommand(arguments).failure(for: RootCommand.message(for: error), without: redaction) {
            console.report(failure)
        } else if console.format == .json {
            console.report(.usage(redaction.applied(to: RootCommand.message(for: error)), hint: "authhub help"))
        } else {
            console.say(TerminalText.quoted(redaction.applied(to: RootCommand.fullMessage(for: error))))
        }
        return status.rawValue
    }
}

extension ToolCommand {
    fileprivate func outcome(_ console: Console) async -> Result<ExitStatus, Failure> {
        do throws(Failure) {
            if let network = (self as? any NetworkCommand)?.network {
                try await network.use(console) { () async throws(Failure) in try await performChoosing(console) }
            } else {
                try await performChoosing(console)
            }
            return .success(.done)
        } catch {
            return .failure(error)
        }
    }

    private func performChoosing(_ console: Console) async throws(Failure) {
        if let command = self as? any AccountCommand { return try await command.performForChosen(console) }
        let outcome = await AccountEnvironment.$current.withValue(await .read { _ in nil }) { () async -> Result<Void, Failure> in
            do throws(Failure) {
                return .success(try await perform(console))
            } catch {
                return .failure(error)
            }
        }
        try outcome.get()
    }
}

extension AccountCommand {
    fileprivate func performForChosen(_ console: Console) async throws(Failure) {
        try await choosing { (command) async throws(Failure) in try await command.perform(console) }
    }
}

extension OutputOptions {
    /// Guesses the output options from arguments that cannot be parsed.
    fileprivate static func guessed(from arguments: [String]) -> Self {
        let isJSON =
            zip(arguments, arguments.dropFirst()).contains { ["-o", "--output", "--format"].contains($0) && $1 == "json" }
            || arguments.contains { ["-ojson", "-o=json", "--output=json", "--format=json"].contains($0) }
        return (try? Self.parse(isJSON ? ["-o", "json"] : [])) ?? Self()
    }
}

extension ExitStatus {
    /// How the user can repeat the signal; nil for SIGHUP, after which there is no user.
    fileprivate var again: String? {
        switch self {
        case .interrupted: "Press Ctrl-C again"
        case .terminated: "Send SIGTERM again"
        default: nil
        }
    }
}
