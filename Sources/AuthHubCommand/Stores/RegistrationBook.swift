import AuthHub
import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol

/// The clients that this tool has registered, one per issuer and resource. They are in the credential store, because they include secrets.
struct RegistrationBook: Sendable {
    let store: any CredentialInventory

    /// Returns a registration.
    ///
    /// - Throws: ``Failure`` if the store fails, or the record is damaged.
    func registration(_ key: RegistrationKey) async throws(Failure) -> ClientRegistration? {
        do {
            guard let stored = try await store.read(key.account) else { return nil }
            return try ClientRegistration(serialized: stored.payload)
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
        do {
            return try await ClientRegistrar(name: "AuthHub", store: store).hasLostClient(of: settings)
        } catch {
            throw Failure(cause: error)
        }
    }

    /// Returns what clients are registered for, sorted by issuer and resource.
    func keys() async throws(Failure) -> [RegistrationKey] {
        do {
            return try await store.inventory(includingUnlisted: true).accounts.compactMap { RegistrationKey($0) }
                .sorted { $0.account.label < $1.account.label }
        } catch {
            throw Failure(error)
        }
    }

    func save(_ registration: ClientRegistration, for key: RegistrationKey) async throws(Failure) {
        let version: CredentialVersion?
        do {
            version = try await store.overwrite(key.account, with: registration.serialized())
        } catch {
            throw Failure(error)
        }
        guard version != nil else {
            throw Failure("try_again", .tryAgain, "other programs keep changing this registration", hint: "run the same command again")
        }
    }

    func forget(_ key: RegistrationKey) async throws(Failure) {
        do {
            try await store.delete(key.account, at: nil)
        } catch {
            throw Failure(error)
        }
    }
}

extension RegistrationKey {
    /// The arguments of the commands about the client.
    var words: String { issuer.shellWord + (resource.map { " --resource \($0.shellWord)" } ?? "") }
}
