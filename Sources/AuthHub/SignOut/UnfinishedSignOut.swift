import AuthHubPrimitives
import CredentialStorage
import HTTPLoading

/// The tokens that a sign-out deletes, in a separate record of the store until they are revoked: a process that is killed between deletion
/// and revocation leaves no valid grant behind.
///
/// The account's next session or sign-out revokes them. If no response arrives, or 429 or 5xx, there are ``tries`` attempts in all; any
/// other response removes the record. If the account has tokens again, nothing is revoked: the deletion did not happen, or the user has
/// signed in since, and some servers revoke everything that they have issued to the client for the user.
struct UnfinishedSignOut: Sendable {
    /// The number of attempts, including that of the sign-out itself.
    static let tries: Int64 = 3
    private static let format: Int64 = 1

    let account: CredentialAccount
    let store: any CredentialStore

    private struct Note {
        let credential: Credential
        let tries: Int64
        let version: CredentialVersion
    }
}

extension UnfinishedSignOut {
    /// Stores the credential that is about to be deleted.
    ///
    /// - Throws: ``CredentialStoreError`` if another process holds the record up, or the task was cancelled. Nothing else, such as a full
    ///   disk, keeps the user from signing out.
    func begin(_ credential: Credential) async throws(CredentialStoreError) {
        do throws(CredentialStoreError) {
            _ = try await store.overwrite(account.signOut, with: Self.record(of: credential, tries: 0))
        } catch  where error.isHoldup {
            throw error
        } catch {}
    }

    /// Removes the record of a sign-out that failed, unless the credential is gone.
    func takeBack() async {
        guard let standing = try? await store.read(account), !MovedRecord.isOne(standing) else { return }
        await end()
    }

    /// The credential that an earlier sign-out left; nil if there is none.
    func credential() async -> Credential? { await readableNote()?.credential }

    /// Counts an attempt to revoke, and removes the record unless another attempt may succeed.
    func attempted(_ revocation: SignOutReport.Revocation) async {
        guard case .failed(let error) = revocation, error.code == .unreachable else { return await end() }
        guard let note = await readableNote(), note.tries + 1 < Self.tries else { return await end() }
        _ = try? await store.write(
            Self.record(of: note.credential, tries: note.tries + 1), for: account.signOut, replacing: note.version)
    }

    /// Revokes the credential that an earlier sign-out left.
    ///
    /// - Parameter isLast: Whether this is the last attempt, because the user is about to sign in.
    /// - Throws: ``CredentialStoreError`` if the store cannot be read.
    func finish(by revoker: Revoker, on clock: LoadClock, isLast: Bool) async throws(CredentialStoreError) {
        guard let note = try await note() else { return }
        guard try await store.read(account) == nil else { return await end() }
        let revocation = await revoker.revoke(note.credential, on: clock)
        if Task.isCancelled { return }
        if isLast { await end() } else { await attempted(revocation) }
    }

    private func end() async {
        // Read first: otherwise each sign-out of a signed-out account would write.
        guard (try? await store.read(account.signOut)) ?? nil != nil else { return }
        _ = try? await store.delete(account.signOut, at: nil)
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

extension CredentialStoreError {
    /// Whether a wait for another process timed out or was cancelled. Nothing was changed.
    var isHoldup: Bool { code == .leaseHeld || code == .cancelled }
}
