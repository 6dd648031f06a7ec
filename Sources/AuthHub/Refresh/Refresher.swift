import AuthHubPrimitives
import CredentialStorage
import Logging
import OAuthProtocol
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Renews a credential once for everyone who shares its record: lease, read again, ask the server, store, and only then hand out.
final class Refresher: Sendable {
    private let account: CredentialAccount
    private let client: OAuthClient
    private let resources: [ResourceIndicator]
    private let server: ServerDirectory
    private let store: any CredentialStore
    private let backChannel: BackChannel
    private let now: @Sendable () -> Date
    /// What the server issued and the store would not take: the old refresh token is spent, so this must not get lost.
    private let unsaved = Mutex<(Credential, replacing: CredentialVersion)?>(nil)

    /// The wait for the lease.
    private let waiting = Mutex<Task<Result<CredentialLease, CredentialStoreError>, Never>?>(nil)

    /// How long to wait for another process that renews or moves the same credential: longer than its request may take.
    static let leaseTimeout = Duration.seconds(45)

    init(
        account: CredentialAccount, client: OAuthClient, resources: [ResourceIndicator] = [], server: ServerDirectory,
        store: any CredentialStore, backChannel: BackChannel, now: @escaping @Sendable () -> Date
    ) {
        self.account = account
        self.client = client
        self.resources = resources
        self.server = server
        self.store = store
        self.backChannel = backChannel
        self.now = now
    }

    /// Renews a credential however long it would live, unless a newer one stands in the store that need not be renewed.
    ///
    /// - Parameter isWanted: Asked when the store has not taken what the server gave; where it says no, the session was signed out
    ///   meanwhile, and the new tokens are revoked.
    @concurrent
    func refresh(_ held: HeldCredential, isWanted: @escaping @Sendable () async -> Bool) async -> RefreshOutcome {
        do throws(CredentialStoreError) {
            let lease = try await lease()
            let outcome = await refreshUnderLease(held, lease)
            // Under the lease still: nobody else can have left something unsaved meanwhile. A sign-out that begins after the question
            // finds it.
            let isLate = hasUnsaved ? await !isWanted() : false
            let late = isLate ? takeUnsaved() : nil
            await lease.release()
            if let late { await revoker.revokeQuietly(late) }
            return outcome
        } catch {
            return .failed(SessionError(error))
        }
    }

    /// Ends a refresh that waits for another process, because nobody is left to wait for it. One that has its turn goes on.
    func giveUpWaiting() {
        waiting.withLock { $0 }?.cancel()
    }

    private func lease() async throws(CredentialStoreError) -> CredentialLease {
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

    private func refreshUnderLease(_ held: HeldCredential, _ lease: CredentialLease) async -> RefreshOutcome {
        do throws(SessionError) {
            guard let stored = try await read() else { return .signedOut(Self.signedOutElsewhere) }
            if stored.version != held.version, stored.credential.isFresh(at: now()) { return .adopted(stored.credential, stored.version) }
            if let saved = try await saveUnsaved(over: stored.version) { return saved }
            return try await renew(stored.credential, at: stored.version, lease)
        } catch {
            return .failed(error)
        }
    }

    private func renew(
        _ old: Credential, at version: CredentialVersion, _ lease: CredentialLease
    ) async throws(SessionError) -> RefreshOutcome {
        guard let refreshToken = old.refreshToken else {
            return .failed(SessionError(.signInNeeded, "the access token has ended, and there is no refresh token to renew it with"))
        }
        let profile = try await server.resolved(needing: [.token])
        // The server spends the old refresh token with the request: where the new one cannot be stored, the old one had better be kept.
        do throws(CredentialStoreError) {
            try await store.checkRoom(for: account)
        } catch {
            throw SessionError(error)
        }
        guard lease.isHeld else { throw SessionError(.lostLease) }
        let response: TokenResponse
        let issuedAt: Date
        let sentAt: Date?
        do {
            let request = try TokenRequest.refresh(
                refreshToken, scope: old.scope, resources: resources, client: client, at: profile)
            let answer = try await backChannel.send(request.message)
            issuedAt = now()
            sentAt = Date(sendingOf: answer.head, now: issuedAt)
            response = try TokenResponse(answer.head, body: answer.body, to: request, from: profile, at: issuedAt)
        } catch let error as OAuthError where error.serverError?.code == .invalidGrant {
            return try await giveUp(version, because: error)
        } catch {
            throw SessionError(cause: error)
        }
        return try await save(Credential(refreshing: old, with: response, issuedAt: issuedAt, sentAt: sentAt), replacing: version)
    }

    /// Stores a renewed credential. Where someone signed out or in meanwhile, theirs stands, and this one is revoked.
    private func save(_ credential: Credential, replacing version: CredentialVersion) async throws(SessionError) -> RefreshOutcome {
        let outcome: CredentialWriteOutcome
        do {
            outcome = try await store.write(credential.record, for: account, replacing: version)
        } catch {
            unsaved.withLock { $0 = (credential, version) }
            throw SessionError(error)
        }
        unsaved.withLock { $0 = nil }
        switch outcome {
        case .stored(let version):
            return .renewed(credential, version)
        case .superseded(let other):
            await revoker.revokeQuietly(credential)
            guard let other else { return .signedOut(Self.signedOutElsewhere) }
            return .renewed(try Credential(record: other.payload), other.version)
        }
    }

    private var revoker: Revoker { Revoker(client: client, server: server, backChannel: backChannel) }

    private var hasUnsaved: Bool { unsaved.withLock { $0 != nil } }

    /// Hands over what could not be stored, for its revocation.
    ///
    /// - Parameter version: That of the credential it was to replace; nil for any.
    func takeUnsaved(replacing version: CredentialVersion? = nil) -> Credential? {
        unsaved.withLock { unsaved in
            guard version == nil || unsaved?.replacing == version else { return nil }
            defer { unsaved = nil }
            return unsaved?.0
        }
    }

    private func saveUnsaved(over version: CredentialVersion) async throws(SessionError) -> RefreshOutcome? {
        guard let (credential, replaced) = unsaved.withLock({ $0 }), replaced == version else { return nil }
        return try await save(credential, replacing: version)
    }

    /// The server ended the grant, unless a newer one stands in the store by now.
    private func giveUp(_ version: CredentialVersion, because error: OAuthError) async throws(SessionError) -> RefreshOutcome {
        guard let stored = try await read() else { return .signedOut(Self.signedOutElsewhere) }
        guard stored.version == version else { return .renewed(stored.credential, stored.version) }
        do throws(CredentialStoreError) {
            try await store.delete(account, at: version)
        } catch {
            throw SessionError(error)
        }
        return .signedOut(
            SessionError(
                .signInNeeded, "the server ended this sign-in (\(error.explanation))", serverError: error.serverError, underlying: error))
    }

    private func read() async throws(SessionError) -> (credential: Credential, version: CredentialVersion)? {
        try await store.credential(of: account)
    }

    private static var signedOutElsewhere: SessionError {
        SessionError(.signInNeeded, "the account was signed out")
    }
}
