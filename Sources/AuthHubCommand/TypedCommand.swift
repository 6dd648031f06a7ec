import ArgumentParser
import AuthHubPrimitives

/// The command in arguments that cannot be parsed, and advice for common mistakes, which the parser does not know.
struct TypedCommand {
    /// The words of the command, such as `store`, `export`.
    private var path: [String] = []
    private var command: any ParsableCommand.Type = RootCommand.self
    /// The words after the command, up to the first option.
    private(set) var rest: ArraySlice<String>

    init(_ arguments: some Sequence<String>) {
        rest = arguments.prefix { !$0.hasPrefix("-") }[...]
        while let word = rest.first, let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == word }) {
            path.append(word)
            command = next
            rest = rest.dropFirst()
        }
    }
}

extension TypedCommand {
    /// The commands without an argument that use an account. Users may write its label as one.
    private static let accountCommands: Set<[String]> = [
        ["status"], ["token"], ["whoami"], ["repos"], ["refresh"], ["logout"], ["revoke"], ["introspect"],
    ]

    /// Returns the failure to report instead of the parser's message; nil if that message is good enough.
    ///
    /// - Parameters:
    ///   - message: The parser's message.
    ///   - redaction: Removes tokens that were typed by mistake.
    func failure(for message: String, without redaction: Redaction) -> Failure? {
        if !command.configuration.subcommands.isEmpty, let word = rest.first { return unknown(redaction.applied(to: word)) }
        if message.hasPrefix("Unknown option '--client-secret'") {
            return .usage(
                "a secret cannot be an argument, which every user of this machine can read",
                hint: "write the secret to a file and add --client-secret-file FILE, or - for standard input")
        }
        guard Self.accountCommands.contains(path), let word = Self.unexpectedArgument(in: message) else { return nil }
        let label = (try? AccountOptions.check(word)) != nil && redaction.applied(to: word) == word ? word : "NAME"
        let line = (["authhub"] + path).joined(separator: " ")
        return .usage(
            "“\(path.joined(separator: " "))” has no argument, but “\(redaction.displaying(word, limit: 60))” was given",
            hint: "to name an account: \(line)\(AccountOptions.suffix(label))")
    }

    /// Returns the failure for a word that is not a command.
    func unknown(_ word: String) -> Failure {
        let configurations = command.configuration.subcommands.map { $0.configuration }
        let names = configurations.filter(\.shouldDisplay).compactMap(\.commandName)
        let help = (["authhub", "help"] + path).joined(separator: " ")
        let question = SimilarNames.question(word, among: path.isEmpty ? names + ["help"] : names)
        return .usage(
            "there is no command “\(displayable(word, limit: 60))”", hint: question.map { "\($0) \(help) lists the commands" } ?? help)
    }

    /// The argument that the parser's message quotes; nil if it is about something else.
    private static func unexpectedArgument(in message: String) -> String? {
        let opening = "Unexpected argument '"
        guard message.hasPrefix(opening), message.hasSuffix("'") else { return nil }
        return String(message.dropFirst(opening.count).dropLast())
    }
}
