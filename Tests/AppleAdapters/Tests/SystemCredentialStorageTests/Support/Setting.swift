import AuthHubPrimitives
import CredentialStorage
import Foundation
import Security

@testable import SystemCredentialStorageOnLinux

/// A keychain for one test, and stores that use it.
struct Setting: Sendable {
    let service = "test-\(UUID().uuidString)"
    let account = CredentialAccount(server: "https://as.example", clientID: "client", label: "octocat")
    private let folder = FileManager.default.temporaryDirectory.appending(path: "authhub-keychain-\(UUID().uuidString)").path

    var keychain: PretendKeychain { .of(service: service) }

    func store(_ access: KeychainCredentialStore.Access = .readAndWrite, group: String = "ABCDE12345.shared") -> KeychainCredentialStore {
        KeychainCredentialStore(service: service, accessGroup: group, leaseFolder: folder, access: access)
    }

    /// Returns a store that contains one record, and the version of the record.
    func holding(_ text: String) async throws -> (KeychainCredentialStore, CredentialVersion) {
        let store = store()
        guard case .stored(let version) = try await store.write(Secret(Array(text.utf8)), for: account, replacing: nil) else {
            throw CredentialStoreError(.failed, "not stored")
        }
        return (store, version)
    }

    func cleanUp() { try? FileManager.default.removeItem(atPath: folder) }
}

extension StoredCredential {
    var text: String { String(decoding: payload.reveal(), as: UTF8.self) }
}

extension CredentialWriteOutcome {
    /// The stored version; nil if the write succeeded.
    var standing: String? {
        if case .superseded(let other) = self { other?.text ?? "nothing" } else { nil }
    }
}
