import AuthHubPrimitives
import CredentialStorage
import HTTPLoading
import Logging

/// The record of the tokens that a sign-out deletes. It stays in the store, separately, until the tokens are revoked, so that a process
/// that is killed between deletion and revocation leaves no valid grant behind.
///
/// The account's next session or sign-out revokes them. If there is no response, or status 429 or 5xx, there are ``tries`` attempts in all;
/// after any other response, the record is removed. Each attempt is counted before it begins; if it cannot be counted, it is not made. If
/// the account has tokens again, nothing is revoked: either the deletion did not happen, or the user has signed in since, and some servers
/// revoke everything they have issued to the client for the user.
struct UnfinishedSignOut: Sendable {
    /// The number of attempts, including that of the sign-out itself.
    static let tries: Int64 = 3
    private static let format: Int64 = 1

    let account: CredentialAccount
    let store: any CredentialStore
    var logger: Logger?

    private struct Note {
        let credential: Credential
        /// The number of attempts that have begun.
        let tries: Int64
        let version: CredentialVersion
    }
}

extension UnfinishedSignOut {
    /// Stores the credential that is about to be deleted, and counts the first attempt.
    ///
    /// - Throws: ``CredentialStoreError`` if the wait for another process timed out or the task was cancelled. No other error, such as a
    ///   full disk, should prevent the user from signing out.
    func begin(_ credential: Credential) async throws(CredentialStoreError) {
        do throws(CredentialStoreError) {
            _ = try await store.overwrite(account.signOut, with: Self.record(of: credential, tries: 1))
        } catch  where error.isHoldup {
            throw error
        } catch {
            logger?.notice("the store could not save the tokens, so revoking them will not be retried if it fails: \(error.explanation)")
        }
    }

    /// Removes the record of a sign-out that failed, unless the credential was deleted.
    func takeBack() async {
        // Read first: if another process signs out after that, its record stays.
        guard let note = await readableNote(), let standing = try? await store.read(account), !MovedRecord.isOne(standing) else { return }
        await end(note)
    }

    /// The credential that an earlier sign-out left; nil if there is none.
    func credential() async -> Credential? { await readableNote()?.credential }

    /// Returns the credential that an earlier sign-out left, and counts one more attempt; nil if there is none.
    ///
    /// - Throws: ``CredentialStoreError`` if the store cannot be read or the count cannot be stored.
    func nextAttempt() async throws(CredentialStoreError) -> Credential? {
        guard let note = try await note() else { return nil }
        guard note.tries < Self.tries else {
            await end(note)
            return nil
        }
        // If the write was superseded, another process has counted its own attempt.
        _ = try await store.write(
            Self.record(of: note.credential, tries: note.tries + 1), for: account.signOut, replacing: note.version)
        return note.credential
    }

    /// Removes the record after an attempt, unless another attempt may succeed. The record of a later sign-out stays.
    ///
    /// - Parameter credential: The credential that the attempt was for; nil if there was none.
    /// - Returns: The result to report. A failure says so if no further attempt will be made.
    func attempted(
        _ revocation: SignOutReport.Revocation, of credential: Credential?, isLast: Bool = false
    ) async -> SignOutReport.Revocation {
        // Nothing was sent: the store has failed.
        if case .failed(let error) = revocation, error.code == .storeFailed { return revocation }
        let note = await readableNote().flatMap { $0.credential.signInID == credential?.signInID ? $0 : nil }
        guard case .failed(let error) = revocation, error.code == .unreachable else {
            if let note { await end(note) }
            return revocation
        }
        guard let note else {
            return .failed(error.adding("the tokens are not stored, so revoking them will not be retried"))
        }
        guard isLast || note.tries >= Self.tries else { return revocation }
        await end(note)
        return .failed(error.adding("this was attempt \(note.tries) of \(Self.tries) to revoke the tokens; they are no longer stored"))
    }

    /// Revokes the credential that an earlier sign-out left. Logs a failure after which no further attempt is made.
    ///
    /// - Parameter isLast: Whether this is the last attempt, because the user is about to sign in.
    /// - Throws: ``CredentialStoreError`` if the store cannot be read.
    func finish(by revoker: Revoker, on clock: LoadClock, isLast: Bool) async throws(CredentialStoreError) {
        // This check comes first: without such a record, the account's own record, which may be damaged, does not matter.
        guard let note = try await note() else { return }
        guard try await store.read(account) == nil else { return await end(note) }
        let credential: Credential?
        do throws(CredentialStoreError) {
            credential = try await nextAttempt()
        } catch {
            logger?.notice("the tokens of an earlier sign-out were not revoked, because the store failed: \(error.explanation)")
            return
        }
        guard let credential else { return }
        let revocation = await revoker.revoke(credential, on: clock)
        if Task.isCancelled { return }
        guard case .failed(let error) = await attempted(revocation, of: credential, isLast: isLast), await self.credential() == nil else {
            return
        }
        logger?.notice(
            "the tokens of an earlier sign-out may stay valid at the server until they expire: \(error.explanation); revoke the access on the server's website"
        )
    }

    /// Removes the record, unless it was changed since it was read: it may belong to a later sign-out.
    private func end(_ note: Note) async {
        do throws(CredentialStoreError) {
            try await store.delete(account.signOut, at: note.version)
        } catch {
            logger?.notice("the tokens of a sign-out are no longer needed but cannot be deleted: \(error.explanation)")
        }
    }

    private func readableNote() async -> Note? { (try? await note()) ?? nil }

    private func note() async throws(CredentialStoreError) -> Note? {
        let stored: StoredCredential?
        do throws(CredentialStoreError) {
            stored = try await store.read(account.signOut)
        } catch  where error.asksForReplacement {
            stored = nil
        }
        guard let stored, let members = try? JSONValue(strict: stored.payload.reveal()).object,
            members["format"]?.number?.int64 == Self.format,
            let tries = members["tries"]?.number?.int64, let record = members["credential"],
            let credential = try? Credential(record: Secret(record.serialized()))
        else { return nil }
        return Note(credential: credential, tries: tries, version: stored.version)
    }

    private static func record(of credential: Credential, tries: Int64) -> Secret<[UInt8]> {
        var members = JSONObject()
        members["format"] = .number(JSONNumber(format))
        members["tries"] = .number(JSONNumber(tries))
        members["credential"] = try? JSONValue(strict: credential.record.reveal())
        return Secret(JSONValue.object(members).serialized())
    }
}

extension SessionError {
    fileprivate func adding(_ text: String) -> Self {
        Self(code, "\(explanation); \(text)", serverError: serverError, underlying: underlying)
    }
}

extension CredentialStoreError {
    /// Whether a wait for another process timed out or was cancelled. Nothing was changed.
    var isHoldup: Bool { code == .leaseHeld || code == .cancelled }
}
