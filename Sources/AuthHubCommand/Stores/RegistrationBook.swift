import AuthHub
import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol

/// The clients that this tool has registered, one per issuer and resource. They are in the credential store, because they include secrets.
struct RegistrationBook: Sendable {
    let store: any CredentialInventory
    /// Registers clients under the name of this tool.
    var registrar: ClientRegistrar { ClientRegistrar(name: "AuthHub", store: store) }

    /// Returns a registration.
    ///
    /// - Throws: ``Failure`` if the store fails, or the record is damaged.
    func registration(_ key: RegistrationKey) async throws(Failure) -> ClientRegistration? {
        try await stored(key)?.registration
    }

    /// Returns a registration with the version of its record.
    func stored(_ key: RegistrationKey) async throws(Failure) -> (registration: ClientRegistration, version: CredentialVersion)? {
        do {
            guard let stored = try await store.read(key.account) else { return nil }
            return (try ClientRegistration(serialized: stored.payload), stored.version)
        } catch let error as CredentialStoreError {
            throw Failure(error)
        } catch {
            throw Failure(
                "store_failed", .storeFailed, "the stored registration at \(key.issuer) is damaged",
                hint: "authhub client delete \(key.words) --local, then register again")
        }
    }

    /// Returns the first registration that meets a condition.
    func registration(
        _ keys: [RegistrationKey], where meets: (ClientRegistration) throws(Failure) -> Bool
    ) async throws(Failure) -> ClientRegistration? {
        for key in keys {
            if let registration = try await registration(key), try meets(registration) { return registration }
        }
        return nil
    }

    /// Whether the registration of an account's client was deleted, by the user or because the server has lost it.
    func hasLostClient(of settings: AccountSettings) async throws(Failure) -> Bool {
        try await Failure.translating { try await registrar.hasLostClient(of: settings) }
    }

    /// Returns what clients are registered for, sorted by issuer and resource.
    func keys() async throws(Failure) -> [RegistrationKey] {
        let inventory = try await Failure.translating { try await store.inventory(includingUnlisted: true) }
        return inventory.accounts.compactMap { RegistrationKey($0) }.sorted { $0.account.label < $1.account.label }
    }

    func save(_ registration: ClientRegistration, for key: RegistrationKey) async throws(Failure) {
        let version = try await Failure.translating { try await store.overwrite(key.account, with: registration.serialized()) }
        guard version != nil else { throw Self.changed }
    }

    /// Saves the server's answer about a registration, unless another program has changed the record since it was read.
    func save(
        _ registration: ClientRegistration, for key: RegistrationKey, replacing version: CredentialVersion
    ) async throws(Failure) {
        let outcome = try await Failure.translating {
            try await store.write(registration.serialized(), for: key.account, replacing: version)
        }
        guard case .stored = outcome else { throw Self.changed }
    }

    /// Deletes a registration.
    ///
    /// - Parameter version: The version of the record to delete, so that a newer registration stays; nil for any.
    func forget(_ key: RegistrationKey, at version: CredentialVersion? = nil) async throws(Failure) {
        _ = try await Failure.translating { try await store.delete(key.account, at: version) }
    }

    private static var changed: Failure {
        Failure("try_again", .tryAgain, "other programs have changed this registration", hint: "run the same command again")
    }
}

extension RegistrationKey {
    /// The arguments of the commands about the client.
    var words: String { issuer.shellWord + (resource.map { " --resource \($0.shellWord)" } ?? "") }
}
