import AuthHubPrimitives
import CredentialStorage
import HTTPLoading
import OAuthProtocol
import Platform

/// Obtains the tokens of a grant and stores them as a credential.
struct TokenCollection: SessionPart {
    let context: SessionContext
    let account: CredentialAccount
    /// Checks who signed in; nil if any user may.
    let userCheck: UserCheck?

    /// Requests the tokens if they have not been issued yet, and stores them. If they cannot be stored, they are revoked, because no one
    /// would ever use them. Must not be cancelled once begun: tokens that were issued must not get lost.
    ///
    /// - Parameters:
    ///   - mayStore: Whether to store the tokens that were received; if not, they are revoked.
    ///   - mayKeep: Whether to keep the tokens that were stored; if not, they are deleted and revoked. A sign-out in another process
    ///     may have ended between the two.
    func collect(
        _ grant: SignInGrant, at profile: ProviderProfile, mayStore: @Sendable () async -> Bool,
        mayKeep: @Sendable () async -> Bool
    ) async -> Result<(Credential, CredentialVersion), SessionError> {
        do throws(SessionError) {
            var credential = Credential(try await grant.tokens(for: client, at: profile, by: backChannel))
            let agreed = try await check(&credential, at: profile)
            guard await mayStore() else {
                await revokeQuietly(credential)
                throw SessionError.signedOutMeanwhile
            }
            return .success(try await keep(credential, over: agreed, mayKeep: mayKeep))
        } catch {
            return .failure(error)
        }
    }

    /// Stores a credential, and withdraws it if the account was signed out elsewhere in the meantime.
    private func keep(
        _ credential: Credential, over agreed: SignedInUser?, mayKeep: @Sendable () async -> Bool
    ) async throws(SessionError) -> (Credential, CredentialVersion) {
        let version: CredentialVersion
        do throws(SessionError) {
            version = try await save(credential, over: agreed)
        } catch {
            if error.underlying is UserCheck.DifferentUser { throw error }
            if await !mayStand(credential, after: error) { await revokeQuietly(credential) }
            throw error
        }
        return try await keep(credential, at: version, mayKeep: mayKeep)
    }

    /// Withdraws a stored credential if the account was signed out elsewhere in the meantime.
    func keep(
        _ credential: Credential, at version: CredentialVersion, mayKeep: @Sendable () async -> Bool
    ) async throws(SessionError) -> (Credential, CredentialVersion) {
        guard await mayKeep() else { throw SessionError.signedOutElsewhere(await withdraw(credential)) }
        return (credential, version)
    }

    /// Discards a grant. Tokens that have already been issued are revoked.
    func decline(_ grant: SignInGrant) async {
        guard case .tokens(let response, _, let issuedAt, let sentAt) = grant else { return }
        await revokeQuietly(Credential(response, issuedAt: issuedAt, sentAt: sentAt))
    }

    /// Revokes the tokens in the response that made the sign-in fail, and the access token in its callback.
    func revokeTokens(in error: SessionError, and grant: SignInGrant?) async { await revoker.revokeTokens(in: error, and: grant) }

    /// Finds out who signed in, and compares the user with that of the stored credential, if there is a user check.
    ///
    /// - Returns: The different user who may be replaced; nil if there is none.
    /// - Throws: ``SessionError`` for a different user who does not replace the old one. The new tokens are not revoked: a server may then
    ///   revoke everything that it issued to this user and client (RFC 7009 §2.1), and the user may be signed in under another label.
    func check(_ credential: inout Credential, at profile: ProviderProfile) async throws(SessionError) -> SignedInUser? {
        guard let userCheck else { return nil }
        credential.person = await UserFinder(server: server, backChannel: backChannel).user(of: credential, at: profile)
        guard let new = credential.person, let old = try? await store.credential(of: account)?.credential.knownUser,
            new.isDifferent(from: old)
        else { return nil }
        guard await userCheck.replaces(old, new) else { throw SessionError(UserCheck.DifferentUser(old: old, new: new)) }
        return old
    }

    /// Stores the credential of a sign-in, which replaces any other.
    ///
    /// - Parameter agreed: The different user whom the user check has replaced. If another process has signed in yet another user since the
    ///   check, that user is checked, too.
    func save(_ credential: Credential, over agreed: SignedInUser?) async throws(SessionError) -> CredentialVersion {
        let version: CredentialVersion?
        var agreed = agreed
        var rejected: UserCheck.DifferentUser?
        do throws(CredentialStoreError) {
            version = try await store.overwrite(account, with: credential.record) { stored in
                guard let userCheck, let new = credential.person, let old = (try? Credential(record: stored.payload))?.knownUser,
                    new.isDifferent(from: old), agreed.map({ old.isDifferent(from: $0) }) ?? true
                else { return true }
                guard await userCheck.replaces(old, new) else {
                    rejected = UserCheck.DifferentUser(old: old, new: new)
                    return false
                }
                agreed = old
                return true
            }
        } catch {
            throw SessionError(error)
        }
        if let rejected { throw SessionError(rejected) }
        guard let version else { throw SessionError(.storeFailed, "other programs keep changing the stored credential") }
        return version
    }

    /// Deletes the tokens of this sign-in, even if another process has refreshed them since, and revokes them as a sign-out does. If the
    /// server cannot revoke them now, they stay in the record of an unfinished sign-out.
    ///
    /// - Returns: Why the server may still accept the tokens; nil if it does not.
    private func withdraw(_ credential: Credential) async -> SessionError? {
        let unfinished = UnfinishedSignOut(account: account, store: store)
        // The record of another sign-out is not overwritten.
        let mayNote = await unfinished.credential() == nil
        var isNoted = false
        var withdrawn = credential
        for _ in 0..<Self.attempts {
            guard let stored = try? await store.credential(of: account), stored.credential.signInID == credential.signInID else { break }
            withdrawn = stored.credential
            if mayNote {
                try? await unfinished.begin(withdrawn)
                isNoted = true
            }
            if (try? await store.delete(account, at: stored.version)) == true { break }
        }
        let outcome: SignOutReport.Revocation
        do throws(SessionError) {
            outcome = try await revoker.revoke(withdrawn) ? .done : .notOffered
        } catch {
            outcome = .failed(error)
        }
        guard case .failed(let problem) = isNoted ? await unfinished.attempted(outcome, of: withdrawn) : outcome else { return nil }
        return problem
    }

    /// How often to retry if another process refreshes the tokens first.
    private static let attempts = 8

    /// Whether a failed write may have stored the credential.
    func mayStand(_ credential: Credential, after error: SessionError) async -> Bool {
        guard let error = error.underlying as? CredentialStoreError, error.code == .failed else { return false }
        do {
            return try await store.credential(of: account)?.credential.signInID == credential.signInID
        } catch {
            return true
        }
    }

    func revokeQuietly(_ credential: Credential) async {
        await revoker.revokeQuietly(credential)
    }
}
