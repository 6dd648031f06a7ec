import ArgumentParser
import WebAuthentication

/// The command for the file with which a host lets an app receive its https callbacks.
struct AssociationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "association",
        abstract: "Write or check the file that Apple's systems require for https callbacks.",
        discussion: """
            The file is served at https://HOST\(AssociationFile.path) and names the apps that may receive the host's callbacks.

            Examples:
              authhub association write --app ABCDE12345.com.example.app >FILE
              authhub association check app.example.com --app ABCDE12345.com.example.app
            """,
        subcommands: [AssociationWriteCommand.self, AssociationCheckCommand.self])
}

/// An app as named on the command line.
struct AppOption: ExpressibleByArgument {
    let identifier: ApplicationIdentifier

    init?(argument: String) {
        guard let identifier = ApplicationIdentifier(argument) else { return nil }
        self.identifier = identifier
    }
}
