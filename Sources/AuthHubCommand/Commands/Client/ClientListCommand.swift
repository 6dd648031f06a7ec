import ArgumentParser
import AuthHub
import AuthHubPrimitives

struct ClientListCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the clients that new accounts use.",
        discussion: "Shows what is stored on this machine, without contacting a server. Secrets are never printed.")

    @OptionGroup var storage: StoreOptions
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let store = try ToolStore.open(storage)
        let added = try await ClientBook(store: store).all()
        let book = RegistrationBook(store: store)
        var registered: [RegistrationReport] = []
        for key in try await book.keys() {
            guard let registration = try await book.registration(key) else { continue }
            registered.append(RegistrationReport(key, registration))
        }
        switch console.format {
        case .json: console.put(.array(added.map(\.json) + registered.map(\.row)))
        case .text: tell(added, registered, console)
        }
    }

    private func tell(_ added: [RememberedClient], _ registered: [RegistrationReport], _ console: Console) {
        var table = Table(columns: [
            .init(title: "PROVIDER", tints: [.bold]), .init(title: "SERVER", minimumWidth: 16, tints: [.cyan]), .init(title: "CLIENT"),
            .init(title: "SECRET"), .init(title: "FROM"),
        ])
        let shown = { (text: String) in displayable(text, limit: 200) }
        table.rows = added.map { client in
            [
                client.isOfIssuer ? "" : shown(client.provider),
                shown(client.isOfIssuer ? client.server : Origin(url: client.server)?.description ?? client.server),
                shown(client.client.id),
                client.client.secret == nil ? "no" : "yes", "you",
            ]
        }
        table.rows += registered.map {
            [
                "", shown($0.key.issuer), $0.clientID, $0.registration.clientSecret == nil ? "no" : "yes",
                "registration" + ($0.key.resource.map { " for \(shown($0))" } ?? ""),
            ]
        }
        if table.rows.isEmpty {
            console.say("No clients. Next: authhub client add PROVIDER, or authhub client register ISSUER")
        } else {
            console.put(table.rendered(console.dataStyle, width: console.columns))
        }
    }
}

extension RegistrationReport {
    /// The object in the list, with the members of ``RememberedClient``.
    fileprivate var row: JSONValue {
        [
            "provider": .string(key.issuer), "place": .null, "server": .string(key.issuer), "client_id": .string(clientID),
            "has_secret": .bool(registration.clientSecret != nil),
            "redirect_uri": (registration.metadata.redirectURIs?.first).map(JSONValue.string) ?? .null, "registered": true,
            "resource": key.resource.map(JSONValue.string) ?? .null,
        ]
    }
}
