import AuthHubPrimitives
import CredentialStorage
import HTTPLoading
import Logging
import OAuthProtocol
import Platform
import Synchronization

/// Refreshes a credential once for all sessions that share its record: takes the lease, re-reads the record, sends the request, stores the
/// response, and only then returns the credential.
final class Refresher: SessionPart {
    let context: SessionContext
    private let account: CredentialAccount
    /// A credential that the server issued and that could not be stored. The old refresh token is used up, so this one must not get lost.
    private let unsaved = Mutex<(Credential, replacing: CredentialVersion)?>(nil)

    /// The task that waits for the lease.
    private let waiting = Mutex<Task<Result<CredentialLease, CredentialStoreError>, Never>?>(nil)

    /// How long to wait for another process that refreshes or moves the same credential. Longer than its request may take.
    static let leaseTimeout = Duration.seconds(45)
    /// The number of refresh tokens to try besides the newest one.
    private static let otherRefreshTokenLimit = 3

    init(_ context: SessionContext, of account: CredentialAccount) {
        self.context = context
        self.account = account
    }

    /// Refreshes a credential even if it is still valid, unless the store holds a newer one that is fresh.
    ///
    /// - Parameters:
    ///   - isRejected: Whether a server rejected the access token. A newer credential must then have another one.
    ///   - isWanted: Called if the server's response could not be stored. If it returns false, the session was signed out in the
    ///     meantime, and the new tokens are revoked.
    @concurrent
    func refresh(
        _ held: HeldCredential, isRejected: Bool = false, isWanted: @escaping @Sendable () async -> Bool
    ) async -> RefreshOutcome {
        do throws(CredentialStoreError) {
            let lease = try await lease()
            let outcome = await refreshUnderLease(held, isRejected: isRejected, lease)
            // The lease is still held, so no other task can have left an unsaved credential in the meantime. A sign-out that begins after
            // this call finds the credential itself.
            let isLate = hasUnsaved ? await !isWanted() : false
            let late = isLate ? takeUnsaved() : nil
            await lease.release()
            if let late { await revoker.revokeQuietly(late) }
            return outcome
        } catch {
            return .failed(SessionError(error))
        }
    }

    /// Stops a refresh that waits for another process, because no caller is waiting for it any more. A refresh that holds the lease
    /// continues.
    func giveUpWaiting() {
        waiting.withLock { $0 }?.cancel()
    }

    func lease() async throws(CredentialStoreError) -> CredentialLease {
        let wait = Task { [store, account] () -> Result<CredentialLease, CredentialStoreError> in
            do throws(CredentialStoreError) {
                return .success(try await store.lease(account, waitingAtMost: Self.leaseTimeout))
            } catch {
                return .failure(error)
            }
        }
        waiting.withLock { $0 = wait }
        let lease = await wait.value
        waiting.withLock { $0 = nil }
        return try lease.get()
    }

    private func refreshUnderLease(
        _ held: HeldCredential, isRejected: Bool, _ lease: CredentialLease
    ) async -> RefreshOutcome {
        do throws(SessionError) {
            guard let stored = try await read() else { return .signedOut(Self.signedOutElsewhere) }
            let isRefused = isRejected && stored.credential.accessToken == held.credential.accessToken
            if stored.version != held.version, !isRefused, stored.credential.isFresh(at: now()) {
                return .adopted(stored.credential, stored.version)
            }
            guard let saved = try await saveUnsaved(over: stored.credential, at: stored.version) else {
                return try await renew(stored.credential, at: stored.version, lease)
            }
            // Only a refresh token was saved, so the access token has yet to be refreshed.
            guard case .renewed(let credential, let version) = saved, credential.accessToken == stored.credential.accessToken else {
                return saved
            }
            return try await renew(credential, at: version, lease)
        } catch {
            return .failed(error)
        }
    }

    private func renew(
        _ old: Credential, at version: CredentialVersion, _ lease: CredentialLease
    ) async throws(SessionError) -> RefreshOutcome {
        guard old.refreshToken != nil else { return .failed(.unrefreshable(old, at: now())) }
        let profile = try await server.resolved(needing: old.idToken == nil ? [.token] : [.token, .jwks])
        try old.checkEndpoint(.token, of: profile)
        return try await withRoom { () async throws(SessionError) in
            try await exchange(of: old, at: version, profile, lease)
        }
    }

    /// Sends a request that uses up the old refresh token. If the new one could not be stored, it is better not to send the request.
    func withRoom<Value: Sendable>(_ send: () async throws(SessionError) -> Value) async throws(SessionError) -> Value {
        let room: RoomReservation
        do throws(CredentialStoreError) {
            room = try await store.reserveRoom(for: account)
        } catch {
            throw SessionError(error)
        }
        do throws(SessionError) {
            let value = try await send()
            await room.release()
            return value
        } catch {
            await room.release()
            throw error
        }
    }

    private func exchange(
        of old: Credential, at version: CredentialVersion, _ profile: ProviderProfile, _ lease: CredentialLease
    ) async throws(SessionError) -> RefreshOutcome {
        switch try await answer(of: old, at: version, profile, lease) {
        case .ended(let outcome): return outcome
        case .tokens(let response, let idToken, let accepted, let issuedAt, let sentAt):
            let credential = Credential(refreshing: accepted, with: response, idToken: idToken, issuedAt: issuedAt, sentAt: sentAt)
            return try await save(credential, replacing: old, at: version)
        }
    }

    /// The result of one request with the refresh token.
    enum Answer {
        /// `to` is the credential with the refresh token that the server accepted.
        case tokens(TokenResponse, IDToken?, to: Credential, issuedAt: Date, sentAt: Date?)
        /// The response cannot be used, and what it means for the stored credential is settled.
        case ended(RefreshOutcome)
    }

    /// Sends one request with the refresh token, and further ones with the others while the server rejects them.
    ///
    /// - Parameter access: What the new token should be limited to; nil for everything that was granted.
    func answer(
        of old: Credential, at version: CredentialVersion, narrowedTo access: NarrowedAccess? = nil, _ profile: ProviderProfile,
        _ lease: CredentialLease
    ) async throws(SessionError) -> Answer {
        var tried = old
        while true {
            switch try await attempt(with: tried, at: version, narrowedTo: access, profile, lease) {
            case .answer(let answer): return answer
            case .next(let next): tried = next
            }
        }
    }

    /// The result of one request.
    private enum Attempt {
        case answer(Answer)
        /// The server does not accept the refresh token. This is the credential with the next one.
        case next(Credential)
    }

    private func attempt(
        with old: Credential, at version: CredentialVersion, narrowedTo access: NarrowedAccess?, _ profile: ProviderProfile,
        _ lease: CredentialLease
    ) async throws(SessionError) -> Attempt {
        guard let refreshToken = old.refreshToken else { throw .unrefreshable(old, at: now()) }
        guard lease.isHeld else { throw SessionError(.lostLease) }
        var request: TokenRequest
        do throws(OAuthError) {
            request = try TokenRequest.refresh(
                refreshToken, scope: old.scope, narrowed: access?.scope ?? [], resources: access?.resources ?? target.resources,
                client: client,
                at: profile
            ).hiding(old.secrets)
            request.soleOrigin = old.soleOrigin
        } catch {
            throw SessionError(error)
        }
        let identity = IdentityVerifier(client: client, backChannel: backChannel)
        let signedIn = old.idToken.flatMap(IDToken.init(stored:))
        guard old.idToken == nil || signedIn != nil else {
            throw SessionError(.storeFailed, "the stored ID token is damaged; signing in again replaces it")
        }
        if signedIn != nil {
            // Even if the granted scope does not contain openid: the sign-in had an ID token.
            request.idToken = IDTokenExpectation(scope: ["openid"], client: client, at: profile)
            guard request.idToken != nil else {
                throw SessionError(
                    .misconfigured, "the ID tokens of \(profile.displayName) can no longer be verified; its key set is unknown")
            }
            try await identity.prepare(for: request.idToken, at: profile)
            // Reading the keys may have taken longer than the lease lasts.
            guard lease.isHeld else { throw SessionError(.lostLease) }
        }
        let answer = try await backChannel.send(request.message)
        let issuedAt = now()
        let response: TokenResponse
        do throws(OAuthError) {
            response = try TokenResponse(answer.head, body: answer.body, to: request, from: profile, at: issuedAt)
        } catch {
            if error.serverError?.code == .invalidGrant, error.issued == nil, let next = old.withNextRefreshToken { return .next(next) }
            // A request for less access does not show that the sign-in has ended.
            guard access == nil || error.issued?.refreshToken != nil else { throw SessionError(error) }
            return .answer(.ended(try await takeRefusal(error, of: old, at: version)))
        }
        backChannel.tell(response.irregularities)
        let idToken: IDToken?
        do throws(SessionError) {
            idToken = try await identity.verify(response, meeting: request.idToken, at: profile, on: .refresh(of: signedIn))
        } catch {
            return .answer(.ended(try await takeUnverified(response, error, of: old, at: version)))
        }
        return .answer(
            .tokens(response, idToken, to: old, issuedAt: issuedAt, sentAt: Date(sendingOf: answer.head, now: issuedAt)))
    }

    /// Handles a response whose ID token could not be verified. If it is not valid, the new tokens may belong to another user: they are
    /// revoked, and the old ones stay (OpenID Connect Core 1.0 §12.2). If the keys could not be read, nothing is known: the new refresh
    /// token is kept for the next attempt.
    private func takeUnverified(
        _ response: TokenResponse, _ error: SessionError, of old: Credential, at version: CredentialVersion
    ) async throws(SessionError) -> RefreshOutcome {
        guard error.code != .securityCheckFailed else {
            if let issued = (error.underlying as? OAuthError)?.issued { await revoker.revokeQuietly(issued) }
            return .failed(error)
        }
        guard let refreshToken = response.refreshToken, refreshToken != old.refreshToken else { return .failed(error) }
        let outcome = try await save(Credential(keeping: refreshToken, after: old), replacing: old, at: version)
        guard case .renewed(let credential, let stored) = outcome, credential.refreshToken == refreshToken else { return outcome }
        return .failed(error, keeping: (credential, stored))
    }

    /// Handles a rejected response. It may hold new refresh tokens, and then the old one may be spent: they are stored before the error is
    /// reported. Whether the response names the right one is not known, so the next refresh tries the new ones, and then the old one. An
    /// access token that must not be used (RFC 6749 §7.1) is dropped: revoking it could end the grant (RFC 7009 §2.1).
    private func takeRefusal(
        _ error: OAuthError, of old: Credential, at version: CredentialVersion
    ) async throws(SessionError) -> RefreshOutcome {
        let known = [old.refreshToken].compactMap(\.self) + old.otherRefreshTokens
        let issued = error.issued.map { [$0.refreshToken].compactMap(\.self) + $0.otherRefreshTokens } ?? []
        let new = issued.filter { !known.contains($0) }
        guard let refreshToken = new.first else {
            if let code = error.serverError?.code, [.unsupportedGrantType, .unauthorizedClient].contains(code) {
                return .failed(.withoutRefresh(old, because: error, at: now()))
            }
            guard error.serverError?.code == .invalidGrant else { throw SessionError(error) }
            return try await end(
                version,
                because: SessionError(
                    .signInNeeded, "the server no longer accepts this sign-in (\(error.explanation))", serverError: error.serverError,
                    underlying: error))
        }
        let others = Array((new.dropFirst() + known).prefix(Self.otherRefreshTokenLimit))
        let outcome = try await save(Credential(keeping: refreshToken, others: others, after: old), replacing: old, at: version)
        guard case .renewed(let credential, let stored) = outcome, credential.refreshToken == refreshToken else { return outcome }
        return .failed(SessionError(error), keeping: (credential, stored))
    }

    /// Stores a refreshed credential. If another process has since signed out or in, its record is left unchanged, and this credential
    /// is revoked.
    func save(
        _ credential: Credential, replacing old: Credential, at version: CredentialVersion
    ) async throws(SessionError) -> RefreshOutcome {
        let spendsRefreshToken = credential.refreshToken != old.refreshToken
        let outcome: CredentialWriteOutcome
        do {
            outcome = try await write(credential, replacing: version, retrying: spendsRefreshToken)
        } catch {
            unsaved.withLock { $0 = (credential, version) }
            throw spendsRefreshToken ? SessionError(spendingRefreshToken: error) : SessionError(error)
        }
        unsaved.withLock { $0 = nil }
        switch outcome {
        case .stored(let version):
            return .renewed(credential, version)
        case .superseded(nil):
            await revoker.revokeQuietly(credential)
            return .signedOut(Self.signedOutElsewhere)
        case .superseded(let other?):
            let standing: Credential
            do throws(SessionError) {
                standing = try Credential(record: other.payload)
            } catch {
                await revoker.revokeQuietly(credential)
                throw error
            }
            // A credential of the same sign-in was stored by another process, as when this machine slept and lost its lease: a server that
            // revokes one token of a grant may revoke the others, too (RFC 7009 §2.1).
            if standing.signInID != credential.signInID { await revoker.revokeQuietly(credential) }
            return .renewed(standing, other.version)
        }
    }

    /// - Parameter isRetrying: Whether to retry for some seconds, because this is the only copy of the refresh token. The lease is held
    ///   during that time, and cancelling the caller's task does not stop the retries.
    private func write(
        _ credential: Credential, replacing version: CredentialVersion, retrying isRetrying: Bool
    ) async throws(CredentialStoreError) -> CredentialWriteOutcome {
        let writing = Task { [store, account, clock, storeRetryPauses] () -> Result<CredentialWriteOutcome, CredentialStoreError> in
            var pauses = storeRetryPauses[...]
            while true {
                do throws(CredentialStoreError) {
                    return .success(try await store.write(credential.record, for: account, replacing: version))
                } catch {
                    guard isRetrying, error.mayPass, let pause = pauses.popFirst() else { return .failure(error) }
                    try? await clock.sleep(for: pause)
                }
            }
        }
        return try await writing.value.get()
    }

    private var hasUnsaved: Bool { unsaved.withLock { $0 != nil } }

    /// Removes and returns the credential that could not be stored, so that it can be revoked.
    ///
    /// - Parameter version: The version of the record that the credential was meant to replace; nil for any.
    func takeUnsaved(replacing version: CredentialVersion? = nil) -> Credential? {
        unsaved.withLock { unsaved in
            guard version == nil || unsaved?.replacing == version else { return nil }
            defer { unsaved = nil }
            return unsaved?.0
        }
    }

    func saveUnsaved(over old: Credential, at version: CredentialVersion) async throws(SessionError) -> RefreshOutcome? {
        guard let (credential, replaced) = unsaved.withLock({ $0 }), replaced == version else { return nil }
        return try await save(credential, replacing: old, at: version)
    }

    /// Deletes the credential, unless a newer one is stored by now.
    private func end(_ version: CredentialVersion, because error: SessionError) async throws(SessionError) -> RefreshOutcome {
        guard let stored = try await read() else { return .signedOut(Self.signedOutElsewhere) }
        guard stored.version == version else { return .renewed(stored.credential, stored.version) }
        do throws(CredentialStoreError) {
            try await store.delete(account, at: version)
        } catch {
            throw SessionError(error)
        }
        return .signedOut(error)
    }

    func read() async throws(SessionError) -> (credential: Credential, version: CredentialVersion)? {
        try await store.credential(of: account)
    }

    static var signedOutElsewhere: SessionError {
        SessionError(.signInNeeded, "the account was signed out")
    }
}

extension CredentialStoreError {
    /// Whether the same write may succeed in a moment, without asking the user again.
    fileprivate var mayPass: Bool { code != .tooLarge && code != .dismissed }
}
