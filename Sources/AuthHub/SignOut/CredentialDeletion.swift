import CredentialStorage

/// Deletes what is stored of an account, readable or not, and tells what it was: for its revocation, which comes afterwards.
struct CredentialDeletion: Sendable {
    let account: CredentialAccount
    let store: any CredentialStore

    struct Outcome: Sendable {
        /// What stood there; an error where it could not be read.
        var found: Result<Credential?, SessionError>
        /// Why something may still stand there.
        var problem: SessionError?
    }

    /// How often a writer that is faster is followed, before its record is deleted unread.
    private static let attempts = 8

    @concurrent
    func perform() async -> Outcome {
        var found = await read()
        do throws(CredentialStoreError) {
            for _ in 0..<Self.attempts {
                guard case .success(let stored) = found else { break }
                guard let stored else { return Outcome(found: .success(nil)) }
                if try await store.delete(account, at: stored.version) { return Outcome(found: .success(stored.credential)) }
                // A refresh was faster: its tokens are the ones to revoke.
                found = await read()
            }
            try await store.delete(account, at: nil)
            return Outcome(found: found.map { $0?.credential })
        } catch {
            return Outcome(found: .success(nil), problem: SessionError(error))
        }
    }

    private func read() async -> Result<(credential: Credential, version: CredentialVersion)?, SessionError> {
        do {
            return .success(try await store.credential(of: account))
        } catch {
            return .failure(error)
        }
    }
}
