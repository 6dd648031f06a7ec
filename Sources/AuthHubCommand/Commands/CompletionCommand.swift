import ArgumentParser
import AuthHubPrimitives

struct CompletionCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion",
        abstract: "Print the script with which a shell completes this tool's arguments.",
        discussion: """
            The packages install the scripts. Without a package, do it once yourself:
              bash   echo 'source <(authhub completion bash)' >> ~/.bashrc
              zsh    authhub completion zsh > FOLDER/_authhub, in a folder of $fpath
              fish   authhub completion fish > ~/.config/fish/completions/authhub.fish

            The scripts run authhub to complete the names of accounts and of the providers that you added. This reads what is stored on \
            this machine, and never asks for a passphrase.
            """)

    @Argument(help: "The shell.")
    var shell: Shell

    @OptionGroup var output: OutputOptions

    enum Shell: String, ExpressibleByArgument, CaseIterable, Sendable {
        case bash, zsh, fish

        var shell: CompletionShell {
            switch self {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        }
    }

    func perform(_ console: Console) async throws(Failure) {
        let script = RootCommand.completionScript(for: shell.shell)
        switch console.format {
        case .json: console.put(["shell": .string(shell.rawValue), "script": .string(script)])
        case .text: console.put(script)
        }
    }
}
