import AuthHub
import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol

/// A client of a provider that new accounts use unless they name another one. Accounts that exist keep their own client.
struct RememberedClient: Sendable, Equatable {
    /// The name of the provider, or the issuer's URL.
    let provider: String
    /// The URL of the server, or the tenant, if it is not the provider's default.
    let place: String?
    /// The server that issued the client ID (``OAuthProtocol/ProviderProfile/identity``).
    let server: String
    var client: OAuthClient

    /// Creates the value from the settings of an account.
    ///
    /// - Throws: ``Failure`` if the provider cannot be used.
    init(_ settings: AccountSettings) throws(Failure) {
        provider = settings.provider.name
        place = settings.provider.place
        server = try Failure.translating { try settings.profile().identity }
        client = settings.client
    }
}

/// The remembered clients, one per provider and server. They are in the credential store, because they include secrets.
struct ClientBook: Sendable {
    let store: any CredentialInventory

    /// The server in the account names of these records.
    static let server = "authhub:clients"

    private static func account(_ label: String) -> CredentialAccount {
        CredentialAccount(server: server, clientID: "authhub", label: label)
    }

    private static func account(of client: RememberedClient) -> CredentialAccount { account("\(client.provider) \(client.server)") }

    /// Returns the client for the provider of these settings.
    func client(for settings: AccountSettings) async throws(Failure) -> RememberedClient? {
        try await read(Self.account(of: RememberedClient(settings)))
    }

    /// Returns all clients, sorted by provider and server.
    func all() async throws(Failure) -> [RememberedClient] {
        let inventory = try await Failure.translating { try await store.inventory(includingUnlisted: true) }
        let accounts = inventory.accounts.filter { $0 == Self.account($0.label) }
        var clients: [RememberedClient] = []
        for account in accounts.sorted(by: { $0.label.utf8.lexicographicallyPrecedes($1.label.utf8) }) {
            if let client = try await read(account) { clients.append(client) }
        }
        return clients
    }

    func save(_ client: RememberedClient) async throws(Failure) {
        let version = try await Failure.translating { try await store.overwrite(Self.account(of: client), with: client.record) }
        guard version != nil else {
            throw Failure("try_again", .tryAgain, "other programs keep changing this client", hint: "run the same command again")
        }
    }

    func forget(_ client: RememberedClient) async throws(Failure) {
        _ = try await Failure.translating { try await store.delete(Self.account(of: client), at: nil) }
    }

    private func read(_ account: CredentialAccount) async throws(Failure) -> RememberedClient? {
        guard let stored = try await Failure.translating({ try await store.read(account) }) else { return nil }
        guard let client = RememberedClient(record: stored.payload), Self.account(of: client) == account else {
            let provider = account.label.prefix { $0 != " " }
            throw Failure(
                "store_failed", .storeFailed, "the client that is remembered for \(provider) is damaged, or a newer authhub wrote it",
                hint: "authhub client add \(provider), with the same options as before, replaces it")
        }
        return client
    }
}

extension RememberedClient {
    private static let format: Int64 = 1

    fileprivate init?(record: Secret<[UInt8]>) {
        guard let members = try? JSONValue(strict: record.reveal()).object, members["format"]?.number?.int64 == Self.format,
            let provider = members["provider"]?.string, let server = members["server"]?.string,
            var client = OAuthClient(credentials: members),
            let redirectURI = (members["redirect_uri"]?.string).flatMap({ RedirectURI($0) })
        else { return nil }
        self.provider = provider
        place = members["place"]?.string
        self.server = server
        client.redirectURI = redirectURI
        self.client = client
    }

    fileprivate var record: Secret<[UInt8]> {
        var members = JSONObject()
        members["format"] = .number(JSONNumber(Self.format))
        members["provider"] = .string(provider)
        members["place"] = place.map(JSONValue.string)
        members["server"] = .string(server)
        for member in client.credentials.members { members[member.name] = member.value }
        members["redirect_uri"] = .string(client.redirectURI.description)
        return Secret(JSONValue.object(members).serialized())
    }
}
