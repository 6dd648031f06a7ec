import ArgumentParser
import AuthHub
import AuthHubPrimitives

struct ClientDeleteCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Deletes the client at the server, and what is kept of it here.",
        discussion: "At the server first: where that cannot be told, what is kept here stays.")

    @OptionGroup(title: "Server") var server: ClientServerOptions

    @Flag(help: "Forget the client here, and leave it at the server.")
    var local = false

    @OptionGroup var storage: StoreOptions
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let book = RegistrationBook(store: try ToolStore.open(storage))
        if local {
            try await book.forget(server.issuer)
            return tell("not_asked", "Forgot the client at \(server.issuer) here; it is still registered there", console)
        }
        guard let registration = try await book.registration(at: server.issuer) else { throw server.unknown }
        guard registration.isManageable else {
            throw Failure(
                "not_offered", .failed, "the server lets no program delete its registration",
                hint: "authhub client delete \(server.words) --local")
        }
        do {
            try await server.server().delete(registration)
        } catch {
            throw Failure(cause: error) { Failure($0, managing: server) }
        }
        try await book.forget(server.issuer)
        tell(
            "done",
            "Deleted the client \(RegistrationReport(issuer: server.issuer, registration: registration).clientID) at \(server.issuer), and here",
            console)
    }

    private func tell(_ atServer: String, _ text: String, _ console: Console) {
        switch console.format {
        case .json: console.put(["issuer": .string(server.issuer), "deleted": true, "at_server": .string(atServer)])
        case .text: console.say(text)
        }
    }
}
