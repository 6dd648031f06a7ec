import AuthHub
import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol

/// The clients that this tool has registered, one per issuer. They are in the credential store, because they include secrets.
struct RegistrationBook: Sendable {
    let store: any CredentialInventory

    /// The server in the account names of these records.
    static let server = CredentialAccount.registrations

    /// Returns the registration at an issuer.
    ///
    /// - Throws: ``Failure`` if the store fails, or the record is damaged.
    func registration(at issuer: String) async throws(Failure) -> ClientRegistration? {
        do {
            guard let stored = try await store.read(.registration(at: issuer)) else { return nil }
            return try ClientRegistration(serialized: stored.payload)
        } catch let error as CredentialStoreError {
            throw Failure(error)
        } catch {
            throw Failure(
                "store_failed", .storeFailed, "the stored registration at \(issuer) is damaged",
                hint: "authhub client delete \(issuer) --local, then register again")
        }
    }

    /// Returns the issuers at which clients are registered.
    func issuers() async throws(Failure) -> [String] {
        do {
            return try await store.inventory(includingUnlisted: true).accounts.filter { $0 == .registration(at: $0.label) }.map(\.label)
        } catch {
            throw Failure(error)
        }
    }

    func save(_ registration: ClientRegistration, at issuer: String) async throws(Failure) {
        let version: CredentialVersion?
        do {
            version = try await store.overwrite(.registration(at: issuer), with: registration.serialized())
        } catch {
            throw Failure(error)
        }
        guard version != nil else {
            throw Failure("try_again", .tryAgain, "other programs keep changing this registration", hint: "run the same command again")
        }
    }

    func forget(_ issuer: String) async throws(Failure) {
        do {
            try await store.delete(.registration(at: issuer), at: nil)
        } catch {
            throw Failure(error)
        }
    }
}
