import AuthHubPrimitives
package import CredentialStorage

extension CredentialAccount {
    package static let octocat = Self(server: "https://server.example", clientID: "client", label: "octocat")
    package static let hubot = Self(server: "https://server.example", clientID: "client", label: "hubot")
}

extension CredentialStore {
    /// Writes a string, and fails if a different version is stored.
    @discardableResult
    package func store(
        _ text: String, for account: CredentialAccount, replacing expected: CredentialVersion? = nil
    ) async throws -> CredentialVersion {
        switch try await write(Secret(Array(text.utf8)), for: account, replacing: expected) {
        case .stored(let version): return version
        case .superseded: throw TestFailure("Another version stands there.")
        }
    }
}

extension StoredCredential {
    package var text: String { String(decoding: payload.reveal(), as: UTF8.self) }
}

/// The error code of an operation; nil if it does not fail.
package func code(of work: () async throws(CredentialStoreError) -> Void) async -> CredentialStoreError.Code? {
    do {
        try await work()
        return nil
    } catch {
        return error.code
    }
}
