import CredentialStorage

/// Moves a record: writes it under the new account, and then replaces the old one with a placeholder if it has not changed in the meantime.
///
/// The placeholder counts as no record. ``finish()`` deletes it.
struct AccountMove: Sendable {
    let store: any CredentialStore
    let source: CredentialAccount
    let target: CredentialAccount

    /// How often to retry if a sign-in replaces the record in between.
    private static let attempts = 8

    func perform() async throws {
        // In a fixed order, whatever the direction, so that two moves never wait for each other.
        let order = [source, target].sorted { $0.identity.lexicographicallyPrecedes($1.identity) }
        let lease = try await store.lease(order[0], waitingAtMost: Refresher.leaseTimeout)
        let outcome: Result<Void, any Error>
        do {
            outcome = try await store.withLease(on: order[1], waitingAtMost: Refresher.leaseTimeout) {
                // The move must not be cancelled halfway.
                await Task { try await move() }.result
            }
        } catch {
            outcome = .failure(error)
        }
        await lease.release()
        try outcome.get()
    }

    /// Deletes the placeholder, even if the task is cancelled.
    func finish() async {
        await Task {
            guard let standing = try? await store.read(source), MovedRecord.isOne(standing) else { return }
            _ = try? await store.delete(source, at: standing.version)
        }.value
    }

    private func move() async throws {
        var written: CredentialVersion?
        for _ in 0..<Self.attempts {
            guard let standing = try await store.read(source), !MovedRecord.isOne(standing) else {
                try await takeBack(written)
                throw SessionError(.signInNeeded, "no one is signed in under this label")
            }
            written = try await copy(standing, replacing: written)
            do {
                switch try await store.write(MovedRecord.payload, for: source, replacing: standing.version) {
                case .stored: return
                case .superseded(nil):
                    try await takeBack(written)
                    throw SessionError(.signInNeeded, "the account was signed out in the meantime")
                case .superseded:
                    continue
                }
            } catch let error as CredentialStoreError {
                if (try? await isMoved()) ?? false { return }
                try await takeBack(written)
                throw error
            }
        }
        try await takeBack(written)
        throw SessionError(.storeFailed, "other programs keep changing the stored credential")
    }

    private func copy(_ standing: StoredCredential, replacing written: CredentialVersion?) async throws -> CredentialVersion {
        switch try await store.write(standing.payload, for: target, replacing: written) {
        case .stored(let version): return version
        case .superseded(let other?) where other.payload.reveal() == standing.payload.reveal():
            // An interrupted move has already written this record.
            return other.version
        case .superseded(let other?) where MovedRecord.isOne(other):
            return try await copy(standing, replacing: other.version)
        case .superseded(let other?) where isSameSignIn(other, standing):
            // An interrupted move has written this record, and one of the two was refreshed since.
            return isNewer(other, than: standing) ? other.version : try await copy(standing, replacing: other.version)
        case .superseded(_?):
            throw SessionError(.misconfigured, "an account is already signed in under the new label")
        case .superseded(nil):
            throw SessionError(.signInNeeded, "the account was signed out under its new label")
        }
    }

    private func isSameSignIn(_ one: StoredCredential, _ other: StoredCredential) -> Bool {
        guard let id = (try? Credential(record: one.payload))?.signInID else { return false }
        return (try? Credential(record: other.payload))?.signInID == id
    }

    private func isNewer(_ one: StoredCredential, than other: StoredCredential) -> Bool {
        guard let one = try? Credential(record: one.payload), let other = try? Credential(record: other.payload) else { return false }
        return one.issuedAt > other.issuedAt
    }

    /// Deletes the copy, because the original was deleted or was not moved.
    private func takeBack(_ written: CredentialVersion?) async throws {
        guard let written else { return }
        try await store.delete(target, at: written)
    }

    private func isMoved() async throws -> Bool {
        guard let standing = try await store.read(source) else { return true }
        return MovedRecord.isOne(standing)
    }

    /// Whether an earlier move was interrupted before ``finish()``.
    func leftPlaceholder() async throws -> Bool {
        try await store.read(source).map(MovedRecord.isOne) ?? false
    }
}
