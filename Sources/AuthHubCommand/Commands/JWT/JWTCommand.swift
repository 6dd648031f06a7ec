import ArgumentParser

struct JWTCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jwt",
        abstract: "Verify and show JSON Web Tokens (RFC 7519).",
        subcommands: [JWTInspectCommand.self])
}
