import AuthHub
import AuthHubPrimitives
import Platform
import Synchronization

/// Runs the user's command with a token, and gives it new tokens.
struct CommandRun: Sendable {
    /// The command and its arguments, each with a NUL byte at the end.
    let words: [[CChar]]
    let surroundings: ChildProgram.Surroundings
    let renewal: TokenRenewal

    /// Runs the command with the token in a variable.
    ///
    /// - Parameter restarts: Whether the command is ended and started again after each refresh.
    func withVariable(_ token: AccessToken, variable: String, restarts: Bool) async throws(Failure) -> ChildProgram.Ending {
        var token = token
        while true {
            let program = try start(variable, token.value)
            guard restarts else { return await program.end() }
            let next = NextToken()
            let renewals = Task { [token] in
                await renewal.run(after: token) { newToken in
                    guard !SignalRelay.termHasArrived else { return false }
                    SignalRelay.forgetEnd()
                    next.token.withLock { $0 = program.send(SIGTERM) ? newToken : nil }
                    return false
                }
            }
            let ending = await program.end()
            renewals.cancel()
            await renewals.value
            // If the user has ended the command at the same time, it is not started again.
            guard let newToken = next.token.withLock({ $0 }), !SignalRelay.endHasArrived, !SignalRelay.termHasArrived else {
                return ending
            }
            token = newToken
        }
    }

    /// Runs the command with the path of a file in a variable. The file contains the current token.
    ///
    /// - Parameter sendsHangUp: Whether to send SIGHUP to the command each time the file was replaced.
    func withFile(_ token: AccessToken, variable: String, sendsHangUp: Bool) async throws(Failure) -> ChildProgram.Ending {
        let file = try TokenFile()
        defer { file.remove() }
        try file.write(token.value)
        let program = try start(variable, Secret(file.path))
        let renewals = Task {
            await renewal.run(after: token) { newToken throws(Failure) in
                try file.write(newToken.value)
                if sendsHangUp { program.send(SIGHUP) }
                return true
            }
        }
        let ending = await program.end()
        renewals.cancel()
        await renewals.value
        return ending
    }

    private func start(_ variable: String, _ value: Secret<String>) throws(Failure) -> ChildProgram {
        do {
            return try ChildProgram(words, variable: (variable, value), in: surroundings)
        } catch {
            let name = displayable(
                words.first.map { String(decoding: $0.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self) } ?? "", limit: 200)
            if error.number == ENOENT {
                throw Failure(
                    "command_not_found", .notFound, "the command “\(name)” does not exist", hint: "check its name, or type its whole path")
            }
            throw Failure(
                "cannot_run", .cannotRun, "the command “\(name)” cannot run: \(error.reason)",
                hint: "type the path of a program that you may run")
        }
    }

    private final class NextToken: Sendable {
        let token = Mutex<AccessToken?>(nil)
    }
}
