import ArgumentParser
import AuthHubPrimitives
import WebAuthentication

struct SetupGitCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "git",
        abstract: "Make this tool the credential helper of git for the servers of your accounts.",
        discussion: """
            Without --write, the command changes nothing and prints what --write would do. Other helpers stay configured for all other \
            servers, but git no longer asks them about these servers, unless they are configured after this command or in a repository.

            Examples:
              authhub setup git                            show the commands
              authhub setup git --write
              authhub setup git --write --host git.example.org
              authhub setup git --undo                     remove exactly what was added
            """)

    @Flag(help: "Change git's global configuration.")
    var write = false

    @Flag(help: "Remove the entries that --write added.")
    var undo = false

    @Option(
        help: ArgumentHelp(
            "A server to configure instead of the accounts' servers that are known to host repositories; may be repeated.",
            valueName: "host"))
    var host: [String] = []

    @OptionGroup var account: AccountOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !(write && undo) else { throw ValidationError("--write and --undo cannot be used together.") }
        guard host.isEmpty || !undo else { throw ValidationError("--undo removes all entries; leave out --host.") }
    }

    func perform(_ console: Console) async throws(Failure) {
        if undo {
            let files = try await GitSetup.undo()
            switch console.format {
            case .json: console.put(["files": .array(files.map { .string($0) })])
            case .text: console.say(files.isEmpty ? "Nothing to undo." : "Restored \(files.joined(separator: ", "))")
            }
            return
        }
        let setup = GitSetup(origins: try await origins(), helper: try helper)
        let written = write ? try await setup.write() : []
        switch console.format {
        case .json:
            console.put([
                "file": .string(GitConfigurationFile.path), "helper": .string(setup.helper),
                "servers": .array(setup.origins.map { .string($0.description) }),
                "written": .array(written.map { .string($0.description) }),
            ])
        case .text where write:
            let names = written.map(\.description).joined(separator: ", ")
            console.say(written.isEmpty ? "Everything is configured already." : "git now gets tokens from authhub for \(names)")
        case .text:
            console.put(setup.commands.joined(separator: "\n"))
            console.say("Nothing was changed. Next: authhub setup git --write")
        }
    }
}

extension SetupGitCommand {
    private func origins() async throws(Failure) -> [Origin] {
        guard host.isEmpty else { return try host.map { text throws(Failure) in try Origin(host: text) } }
        let accounts = try await GitAccount.all(for: nil, label: account.typedLabel, in: try ToolStore.open(account.storage))
        let origins = Set(accounts.flatMap(\.repositories)).sorted { $0.description < $1.description }
        guard !origins.isEmpty else {
            throw Failure(
                "sign_in_needed", .signInNeeded, "no account is signed in at a server that is known to host repositories",
                hint: "authhub login github --client-id ID, or name a server with --host")
        }
        return origins
    }

    /// The command for git, with the options that choose the account and the store.
    private var helper: String {
        get throws(Failure) {
            let path: String
            do {
                path = try OwnProgram.path()
            } catch {
                throw Failure("git_failed", .failed, error.message, hint: "git config --global credential.helper authhub")
            }
            var words = [path, "helper", "git"]
            if let label = account.typedLabel { words += ["--as", label] }
            if let store = account.storage.store { words += ["--store", store] }
            let line = words.map(\.shellWord).joined(separator: " ")
            // git gives a value to the shell as it is only if it begins like this; a quoted path does not begin with a slash.
            return line.hasPrefix("/") ? line : "!\(line)"
        }
    }
}
