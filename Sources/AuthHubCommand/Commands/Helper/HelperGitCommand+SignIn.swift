import ArgumentParser
import AuthHubPrimitives
import CredentialStorage

extension HelperGitCommand {
    /// Writes the answer to a request, after a sign-in if that is necessary and the user is at a terminal.
    func get(_ request: GitCredentialRequest, _ console: Console) async throws(Failure) {
        let credentials = GitCredentials(options: account)
        guard case .signInNeeded(let label, let failure) = try await credentials.answer(request).written(on: console) else { return }
        guard ControllingTerminal.isAvailable, await Self.mayInteract() else {
            if let failure { throw failure }
            return
        }
        let turn = try await PromptTurn.begin(for: "git \(label)")
        defer { turn.end() }
        // Another process may have signed in meanwhile.
        guard case .signInNeeded = try await credentials.answer(request).written(on: console) else { return }
        guard !turn.wasDeclined else { return quit(turn, label, console) }
        guard ControllingTerminal.connect() else { return }
        do throws(Failure) {
            var messages = output
            messages.format = .text
            let login = SignInRequest(account: account.naming(label), isAccountNamed: AccountChoice.isNamed)
            try await SignInService(login, Console(messages)).performAndReport()
        } catch {
            switch error.exit {
            case .cancelled, .denied:
                console.reportOnOneLine(error)
                return quit(turn, label, console)
            case .interrupted:
                turn.end(isDeclined: true)
                throw error
            default: throw error
            }
        }
        turn.end(isDeclined: false)
        if case .signInNeeded(_, let failure?) = try await credentials.answer(request).written(on: console) { throw failure }
    }

    /// Ends git: otherwise it would ask for a user name and a password.
    private func quit(_ turn: PromptTurn, _ label: String, _ console: Console) {
        if turn.wasDeclined {
            console.say("authhub: the sign-in was declined a moment ago; next: authhub login\(account.naming(label).suffix)")
        } else {
            turn.end(isDeclined: true)
        }
        console.put("quit=1")
    }

    /// Whether git's user allows programs to ask.
    private static func mayInteract() async -> Bool {
        let off = ["0", "false", "no", "off", "never"]
        if let prompt = processEnvironment("GIT_TERMINAL_PROMPT")?.lowercased(), off.contains(prompt) { return false }
        if let ci = processEnvironment("CI")?.lowercased(), !ci.isEmpty, !off.contains(ci) { return false }
        let configured = try? await GitProgram.run("config", "--get", "credential.interactive")
        return configured?.lines.first.map { !off.contains($0.lowercased()) } ?? true
    }
}

extension GitCredentials.Answer {
    /// Writes the answer if it is one for git.
    fileprivate func written(on console: Console) -> Self {
        if case .text(let text) = self { console.put(Array(text.reveal().utf8)) }
        return self
    }
}
