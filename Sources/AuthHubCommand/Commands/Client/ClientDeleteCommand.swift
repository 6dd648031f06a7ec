import ArgumentParser
import AuthHub
import AuthHubPrimitives

struct ClientDeleteCommand: NetworkCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a client at the server and on this machine.",
        discussion: "The client is deleted at the server first. If that fails, nothing is deleted on this machine.")

    @OptionGroup(title: "Server") var client: RegisteredClientOptions

    @Flag(help: "Delete the client on this machine only; it stays registered at the server.")
    var local = false

    @OptionGroup var storage: StoreOptions
    @OptionGroup(title: "Network") var network: NetworkOptions
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let book = RegistrationBook(store: try ToolStore.open(storage))
        let key = try await client.key(in: book)
        if local {
            try await book.forget(key)
            return tell(
                "not_asked", "Deleted the client at \(client.server.issuer) on this machine; it is still registered at the server", console)
        }
        guard let (registration, version) = try await book.stored(key) else { throw client.vanished }
        guard registration.isManageable else {
            throw Failure(
                "not_offered", .failed, "the server does not let clients delete their registration",
                hint: "authhub client delete \(client.words) --local")
        }
        do {
            try await client.server.server().delete(registration)
        } catch {
            throw Failure(cause: error) { Failure($0, managing: client) }
        }
        try await book.forget(key, at: version)
        tell(
            "done",
            "Deleted the client \(RegistrationReport(key, registration).clientID) at \(client.server.issuer) and on this machine",
            console)
    }

    private func tell(_ atServer: String, _ text: String, _ console: Console) {
        switch console.format {
        case .json: console.put(["issuer": .string(client.server.issuer), "deleted": true, "at_server": .string(atServer)])
        case .text: console.say(text)
        }
    }
}
