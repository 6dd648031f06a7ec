import ArgumentParser
import AuthHub
import AuthHubPrimitives

struct ClientRemoveCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove the stored client of a provider from this machine.",
        discussion: "The client stays registered at the provider, and accounts that use it keep it.")

    @Argument(help: ArgumentHelp("The provider, as in \"authhub client list\".", valueName: "provider"), completion: .providers)
    var provider: String

    @OptionGroup var place: ProviderPlace
    @OptionGroup var storage: StoreOptions
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let store = try ToolStore.open(storage)
        let book = ClientBook(store: store)
        let typed = place.web ?? place.tenant
        let all = try await book.all().filter { $0.provider == provider }
        var clients = all.filter { $0.place == typed }
        // The place need not be typed if there is only one.
        if clients.isEmpty, typed == nil, all.count == 1 { clients = all }
        guard let client = clients.first else {
            guard typed != nil || all.isEmpty else {
                throw Failure(
                    "unknown_client", .failed, "several clients are stored for \(provider)",
                    hint: all.map { "authhub client remove \($0.words)\(storage.suffix)" }.joined(separator: ", or "))
            }
            throw try await unknown(in: RegistrationBook(store: store))
        }
        for client in clients { try await book.forget(client) }
        switch console.format {
        case .json: console.put(["provider": .string(provider), "client_id": .string(client.client.id), "removed": true])
        case .text:
            console.say(
                "Removed the client \(displayable(client.client.id, limit: 200)) of \(provider) from this machine; accounts keep it")
        }
    }

    private func unknown(in book: RegistrationBook) async throws(Failure) -> Failure {
        var hint = "authhub client list\(storage.suffix)"
        if provider.contains("://"), try await book.registration(RegistrationKey(issuer: provider)) != nil {
            hint = "this tool registered one: authhub client delete \(provider.shellWord)"
        }
        return Failure("unknown_client", .failed, "no client is stored for \(displayable(provider, limit: 200))", hint: hint)
    }
}
