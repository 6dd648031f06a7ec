import ArgumentParser
import AuthHubPrimitives
import WebAuthentication

struct AssociationWriteCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "write", abstract: "Write an association file to standard output.")

    @Option(
        help: ArgumentHelp(
            "An app, as TEAM.BUNDLE (its team ID, a dot and its bundle identifier). May be repeated.", valueName: "team.bundle"))
    var app: [AppOption]

    @Option(
        help: ArgumentHelp(
            "Let links to this path open the apps, too; * matches any characters. May be repeated.", valueName: "path"))
    var link: [String] = []

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard !app.isEmpty else { throw ValidationError("Name at least one app: --app ABCDE12345.com.example.app.") }
        guard link.allSatisfy({ $0.hasPrefix("/") || $0.hasPrefix("*") }) else {
            throw ValidationError("--link must begin with a slash or an asterisk: /auth/*.")
        }
    }

    func perform(_ console: Console) async throws(Failure) {
        console.put(
            String(decoding: AssociationFile(apps: app.map(\.identifier), linkedPaths: link).json.serialized(indented: true), as: UTF8.self)
        )
    }
}
