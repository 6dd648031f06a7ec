import CredentialStorage
import Logging

/// Deletes the stored credential of an account, even if it is unreadable, and returns it, so that it can be revoked afterwards.
///
/// Cancelling the task ends only the wait for another process that is writing.
struct CredentialDeletion: Sendable {
    let account: CredentialAccount
    let store: any CredentialStore
    var logger: Logger?
    /// Whether a credential is the one to delete, so that a newer sign-in stays; nil to delete any credential.
    var isMeant: (@Sendable (Credential) -> Bool)?

    struct Outcome: Sendable {
        /// The credential that was stored, or that an earlier sign-out left; an error if it could not be read.
        var found: Result<Credential?, SessionError>
        /// The reason that the credential may still be stored; nil if it was deleted.
        var problem: SessionError?
        /// The record of the tokens until they are revoked.
        let unfinished: UnfinishedSignOut
    }

    /// How often to retry if another process writes the record first, before it is deleted unread.
    private static let attempts = 8

    @concurrent
    func perform() async -> Outcome {
        let unfinished = UnfinishedSignOut(account: account, store: store, logger: logger)
        var signIns: StoredCredential?
        do throws(CredentialStoreError) {
            signIns = try await forgetSignIns()
            if let found = try await delete(noting: unfinished) { return Outcome(found: found, unfinished: unfinished) }
            await takeBack(signIns, unfinished)
            return Outcome(found: .success(nil), unfinished: unfinished)
        } catch {
            await takeBack(signIns, unfinished)
            return Outcome(found: .success(nil), problem: SessionError(error), unfinished: unfinished)
        }
    }

    /// The account stays signed in, and so do its sign-ins in progress.
    private func takeBack(_ signIns: StoredCredential?, _ unfinished: UnfinishedSignOut) async {
        if let signIns { _ = try? await store.write(signIns.payload, for: account.signIns, replacing: nil) }
        await unfinished.takeBack()
    }

    /// - Returns: The deleted credential, or why it could not be read; nil if the stored one is not the one to delete.
    private func delete(
        noting unfinished: UnfinishedSignOut
    ) async throws(CredentialStoreError) -> Result<Credential?, SessionError>? {
        var found = await read()
        for _ in 0..<Self.attempts {
            guard case .success(let stored) = found else { break }
            guard let stored else { return await left(by: unfinished) }
            guard isMeant?(stored.credential) ?? true else { return nil }
            try await unfinished.begin(stored.credential)
            if try await store.delete(account, at: stored.version) { return .success(stored.credential) }
            // A refresh has written the record first: its tokens are the ones to revoke.
            found = await read()
        }
        if let isMeant {
            guard case .success(let stored?) = found, isMeant(stored.credential) else { return nil }
            throw CredentialStoreError(.leaseHeld, "other processes kept refreshing the tokens; nothing was deleted")
        }
        try await store.delete(account, at: nil)
        return found.map { $0?.credential }
    }

    private func left(by unfinished: UnfinishedSignOut) async -> Result<Credential?, SessionError> {
        do throws(CredentialStoreError) {
            return .success(try await unfinished.nextAttempt())
        } catch {
            return .failure(SessionError(error))
        }
    }

    /// Deletes the pending sign-ins. Runs first, so that a later callback finds no sign-in to finish. Fails only if waiting for another
    /// process fails: no other error should prevent the user from signing out.
    ///
    /// - Returns: The deleted record, if it could be read.
    private func forgetSignIns() async throws(CredentialStoreError) -> StoredCredential? {
        let signIns = try? await store.read(account.signIns)
        do throws(CredentialStoreError) {
            try await store.delete(account.signIns, at: nil)
        } catch  where error.isHoldup {
            throw error
        } catch {}
        return signIns
    }

    private func read() async -> Result<(credential: Credential, version: CredentialVersion)?, SessionError> {
        do {
            return .success(try await store.credential(of: account))
        } catch {
            return .failure(error)
        }
    }
}
