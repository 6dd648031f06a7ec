import Platform
@testable import AuthHubCommand
@testable import AuthHubCommandTests
import AuthHubPrimitives
import CredentialStorage
import DevelopmentServer
import Testing

struct CompletionTests {
    /// The words on a command line, of which the last one is being typed, and the words that bash offers for it.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let words: [String]
        var offered: [String] = []
        /// Whether only some of the offered words are listed.
        var isPart = false

        init(_ testDescription: String, _ words: String..., offers offered: [String], isPart: Bool = false) {
            self.testDescription = testDescription
            self.words = words
            self.offered = offered
            self.isPart = isPart
        }
    }

    static let rows: [Row] = [
        Row("a command", "acc", offers: ["accounts"]),
        Row("a shell", "completion", "f", offers: ["fish"]),
        Row("an account, after an option", "status", "--as", "w", offers: ["work"]),
        Row("all accounts", "token", "--as", "", offers: ["home", "work"]),
        Row("an account, as an argument", "accounts", "remove", "ho", offers: ["home"]),
        Row("an account to rename", "accounts", "rename", "h", offers: ["home"]),
        Row("no account for the new label", "accounts", "rename", "home", "h", offers: []),
        Row("an account in another store", "status", "--store", "plain", "--as", "", offers: []),
        Row("an account, and the store is misspelled", "status", "--store", "plan", "--as", "w", offers: ["work"]),
        Row("a built-in provider", "login", "spo", offers: ["spotify"]),
        Row("a provider to show", "provider", "show", "github-a", offers: ["github-app"]),
        Row("an added provider", "login", "our", offers: ["our-chat"]),
        Row("a store", "status", "--store", "f", offers: ["file"]),
        Row("the target of a migration", "store", "migrate", "file", "p", offers: ["plain"]),
        Row("a key", "store", "rekey", "own", offers: ["own-key-file"]),
        Row("a flow", "login", "--flow", "de", offers: ["device"]),
        Row("a persona", "serve", "--persona", "oid", offers: ["oidc"]),
        Row("a fault", "serve", "--fault", "", offers: ["list"], isPart: true),
        Row("an option", "serve", "--po", offers: ["--port"]),
    ]

    /// Calls the function of the completion script as bash does, and prints the offered words.
    private static let completing = """
        source "$1"
        shift
        COMP_WORDS=("$@")
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        COMP_LINE="${COMP_WORDS[*]}"
        COMP_POINT=${#COMP_LINE}
        function=$(complete -p authhub)
        function=${function##*-F }
        "${function% *}" "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        if [ ${#COMPREPLY[@]} -gt 0 ]; then printf '%s\\n' "${COMPREPLY[@]}"; fi
        """

    @Test(.enabled(if: Shell.bash.path != nil, "bash is not installed"), arguments: rows)
    func `bash offers the words that an argument accepts`(_ row: Row) async throws {
        try await Tool.using { tool in
            for label in ["work", "home"] { try await tool.replaceSettings(of: label, with: "{}") }
            try await tool.addProvider("our-chat")
            let offered = try await Self.offered(by: tool, for: row.words)
            if row.isPart {
                #expect(Set(offered).isSuperset(of: row.offered), "\(offered)")
            } else {
                #expect(offered == row.offered)
            }
        }
    }

    /// Bash expands the offered words once more.
    @Test(.enabled(if: Shell.bash.path != nil, "bash is not installed"))
    func `no label or file name runs a command when bash completes it`() async throws {
        try await Tool.using { tool in
            let planted = "\(tool.folder.path)/planted"
            for label in ["work", "<(date>\(planted))", "$(date>\(planted))", "`date>\(planted)`", "~root"] {
                try await tool.replaceSettings(of: label, with: "{}")
            }
            #expect(try await Self.offered(by: tool, for: ["status", "--as", ""]) == ["work"])
            #expect(!FileManager.default.fileExists(atPath: planted))
        }
    }

    struct Trouble: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var store: String?
        var words = ["---completion", "status", "--", "--as", "2", "0", "authhub", "status", "--as", ""]
    }

    static let troubles = [
        Trouble(testDescription: "a store that does not exist", store: "/nowhere/store"),
        Trouble(testDescription: "AUTHHUB_STORE with an unknown word", store: "keyrings"),
        Trouble(testDescription: "a command that does not exist", words: ["---completion", "frobnicate", "--", "--as", "0", "0"]),
        Trouble(testDescription: "an incomplete request", words: ["---completion", "status"]),
    ]

    @Test(arguments: troubles)
    func `a completion that fails prints nothing`(_ trouble: Trouble) async throws {
        try await Tool.using { tool in
            var tool = tool
            if let store = trouble.store { tool.environment["AUTHHUB_STORE"] = store }
            let output = try await tool.run(trouble.words)
            #expect(output.text.allSatisfy(\.isNewline) && output.errorText == "", "\(output.text)\(output.errorText)")
        }
    }

    #if canImport(Glibc)
    @Test(.timeLimit(.minutes(15))) func `does not ask for the passphrase of the store`() async throws {
        try await Tool.using { tool in
            try await tool.replaceSettings(of: "work", with: "{}")
            let file = try tool.folder.write("correct horse battery staple\n", to: "passphrase")
            let rekeyed = try await tool.run("store", "rekey", "passphrase", "--passphrase-file", file)
            #expect(rekeyed.status == 0, "\(rekeyed.errorText)")
            // The command has put the key into the kernel's keyring, if there is one.
            let key = PassphraseKey(
                path: "\(tool.folder.path)/store/credentials.sealed-key", attempts: 1,
                prompt: { _ throws(CredentialStoreError) in throw CredentialStoreError(.locked, "not asked here") })
            try KernelKeyringCache(key).forget()
            let words = [Tool.path, "---completion", "status", "--", "--as", "2", "0", "authhub", "status", "--as", ""]
            let terminal = try TerminalProcess(
                ["sh", "-c", "\"$@\" </dev/tty; echo It has ended", "sh"] + words, environment: tool.environment)
            let shown = await terminal.shown { $0.contains("It has ended") || $0.contains("assphrase") }
            #expect(!shown.contains("assphrase") && !shown.contains("authhub:"), "\(shown)")
        }
    }
    #endif

    private static func offered(by tool: Tool, for words: [String]) async throws -> [String] {
        let script = try await tool.run("completion", "bash")
        #expect(script.status == 0 && script.errorText == "", "\(script.errorText)")
        let file = try tool.folder.write(script.text, to: "authhub.bash")
        let bash = try ChildProcess(
            Shell.bash.path ?? "", ["-c", completing, "bash", file, Tool.path] + words, environment: tool.environment)
        let output = await bash.end()
        #expect(output.status == 0 && output.errorText == "", "\(output.errorText)")
        return output.text.split(separator: "\n").map(String.init).sorted()
    }
}

extension CompletionTests {
    struct Scripts {
        @Test(.enabled(if: Shell.bash.path != nil, "bash is not installed")) func `the script for bash parses`() async throws {
            try await parse(.bash)
        }

        @Test(.enabled(if: Shell.zsh.path != nil, "zsh is not installed")) func `the script for zsh parses`() async throws {
            try await parse(.zsh)
        }

        @Test(.enabled(if: Shell.fish.path != nil, "fish is not installed")) func `the script for fish parses`() async throws {
            try await parse(.fish)
        }

        @Test(arguments: Shell.allCases)
        func `JSON contains the script`(_ shell: Shell) async throws {
            try await Tool.using { tool in
                let script = try await tool.run("completion", shell.rawValue).text
                let json = try await tool.run("completion", shell.rawValue, "-o", "json").json()
                #expect(json == ["shell": .string(shell.rawValue), "script": .string(String(script.dropLast()))])
            }
        }

        private func parse(_ shell: Shell) async throws {
            try await Tool.using { tool in
                let script = try await tool.run("completion", shell.rawValue)
                #expect(script.status == 0 && script.text.contains("authhub"), "\(script.errorText)")
                let file = try tool.folder.write(script.text, to: "script")
                let output = try await ChildProcess(shell.path ?? "", ["-n", file], environment: tool.environment).end()
                #expect(output.status == 0 && output.errorText == "", "\(output.errorText)")
            }
        }
    }

    enum Shell: String, CaseIterable, Sendable {
        case bash, zsh, fish

        /// Its path; nil if it is not installed.
        var path: String? {
            ["/bin", "/usr/bin", "/usr/local/bin"].map { "\($0)/\(rawValue)" }.first(where: FileManager.default.isExecutableFile)
        }
    }
}

extension Tool {
    fileprivate func addProvider(_ name: String) async throws {
        let file = try folder.write(try await run("provider", "show", "spotify", "-o", "json").text, to: "\(name).json")
        let added = try await run("provider", "add", file, "--name", name)
        #expect(added.status == 0, "\(added.errorText)")
    }
}
