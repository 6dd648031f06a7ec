import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol
import Platform
import WebAuthentication

/// One sign-in, from showing the sign-in page to storing the credential.
struct SignInFlow: Sendable {
    /// The condition under which another session's sign-in can be used instead of this one.
    enum Want: Sendable {
        /// The store holds a credential other than this one (nil: this session knows of none).
        case credential(otherThan: CredentialVersion?)
        /// The store holds a credential of a sign-in that was stored after this one was requested.
        case newSignIn
    }

    let account: CredentialAccount
    let server: ServerDirectory
    let way: any SignInWay
    let store: any CredentialStore
    let turn: SignInTurn
    let pendingSignIns: PendingSignIns
    let collection: TokenCollection
    /// Whether the ID token must have certain values, which the ID token of another session's sign-in may not have.
    let needsOwnPage: Bool
    let now: @Sendable () -> Date

    /// Waits for its turn, asks the user to sign in, obtains and stores the tokens, and shows the user the result.
    ///
    /// If another session that shares the store has signed in while this one waited, its credential is returned, and no page is shown.
    /// Cancelling the task stops the wait and the sign-in page. Once the tokens have been requested, they are always received and stored.
    ///
    /// - Parameters:
    ///   - need: What to request in addition to the session's scope.
    ///   - watch: Notified of events while the user signs in.
    ///   - mayExchange: Called when the grant has been received; returns whether to obtain the tokens.
    ///   - mayStore: Returns whether the tokens may still be stored. They may not after a sign-out.
    @concurrent
    func run(
        _ want: Want, for need: SignInNeed, watch: SignInWatch, mayExchange: @Sendable () async -> Bool,
        mayStore: @escaping @Sendable () async -> Bool
    ) async throws(SessionError) -> (Credential, CredentialVersion) {
        let profile = try await server.resolved(needing: way.endpoints)
        let earlier = try await earlierSignIn(for: want)
        let lease = try await turn.begin()
        let brought: (Credential, CredentialVersion)?
        do throws(SessionError) {
            brought = try await broughtByOthers(want, for: need, since: earlier)
        } catch {
            await lease.release()
            throw error
        }
        if let others = brought {
            // A credential stored after this session's sign-out does not belong to the session, which would delete it as a late result.
            let mayStore = await mayStore()
            await lease.release()
            guard mayStore else { throw SessionError.signedOutMeanwhile }
            return others
        }
        var page: ReceivedCallback?
        var granted: SignInGrant?
        var note: PendingSignIns.Note?
        let outcome: Result<(Credential, CredentialVersion), SessionError>
        do throws(SessionError) {
            try await requireRoom()
            let begun = try await pendingSignIns.begin()
            note = begun
            let progress = try await way.begin(at: profile, for: need, watch: watch)
            page = progress.page
            let grant = try progress.granted.get()
            granted = grant
            guard await mayExchange() else {
                // This task must not be cancelled: a grant that no one uses must not stay valid.
                await Task { await collection.decline(grant) }.value
                throw SessionError(.cancelledByProgram, "the caller no longer waits for this sign-in")
            }
            // In a separate task, which is not cancelled: tokens that were issued must not get lost.
            outcome = await Task {
                await collection.collect(grant, at: profile, mayStore: mayStore) { await finishUnlessSignedOut(begun) }
            }.value
        } catch {
            outcome = .failure(error)
        }
        if case .failure = outcome, let note { await giveUp(note) }
        await lease.release()
        switch outcome {
        case .success: await page?.conclude(.signedIn)
        case .failure(let error):
            await page?.conclude(.failed(error.explanation))
            await Task { [granted] in await collection.revokeTokens(in: error, and: granted) }.value
        }
        return try outcome.get()
    }

    /// Finishes a sign-in whose callback did not arrive through its page, for example because the program was restarted.
    ///
    /// If the turn is free, the sign-in takes it, so that others wait instead of showing a page. It does not wait for another sign-in's
    /// page.
    @concurrent
    func finish(
        _ callback: AuthorizationCallback, mayStore: @escaping @Sendable () async -> Bool
    ) async throws(SessionError) -> (Credential, CredentialVersion) {
        let pending = try await pendingSignIns.expecting(callback)
        guard let browser = way as? BrowserSignIn else { throw PendingSignIns.noneExpects }
        // Before the callback is used up: without the server's metadata, the code could not be exchanged.
        let profile = try await server.resolved(needing: way.endpoints)
        let lease = await turn.beginIfFree()
        var granted: SignInGrant?
        var note: PendingSignIns.Note?
        let outcome: Result<(Credential, CredentialVersion), SessionError>
        do throws(SessionError) {
            let begun = try await pendingSignIns.begin()
            note = begun
            let grant = try await browser.accept(callback, by: pending, at: profile)
            granted = grant
            outcome = await collection.collect(grant, at: profile, mayStore: mayStore) { await finishUnlessSignedOut(begun) }
        } catch {
            outcome = .failure(error)
        }
        if case .failure = outcome, let note { await giveUp(note) }
        await lease?.release()
        if case .failure(let error) = outcome { await collection.revokeTokens(in: error, and: granted) }
        return try outcome.get()
    }
}

extension SignInFlow {
    /// Whether no process has signed the account out since the sign-in began. If the store cannot be read, the tokens are kept.
    func finishUnlessSignedOut(_ note: PendingSignIns.Note) async -> Bool {
        (try? await pendingSignIns.end(note)) ?? true
    }

    /// Removes the note of a sign-in that failed, even if the task is cancelled.
    func giveUp(_ note: PendingSignIns.Note) async {
        _ = await Task { try? await pendingSignIns.end(note) }.value
    }

    /// Runs before the user has to do anything: there is no point in signing in if the tokens cannot be stored.
    private func requireRoom() async throws(SessionError) {
        do throws(CredentialStoreError) {
            try await store.prepareToWrite(for: account)
        } catch {
            throw SessionError(error)
        }
    }

    /// The stored credential; nil if there is none, or if the record is lost and a sign-in replaces it.
    ///
    /// - Throws: ``SessionError`` if the store cannot be read. In that case the tokens could not be stored either, and a user who has just
    ///   declined to unlock the store should not be asked again at every step.
    private func standing() async throws(SessionError) -> (credential: Credential, version: CredentialVersion)? {
        do throws(SessionError) {
            return try await store.credential(of: account)
        } catch  where (error.underlying as? CredentialStoreError)?.asksForReplacement ?? true {
            return nil
        }
    }

    /// The ID of the sign-in that the stored credential comes from; nil if any newer credential will do.
    private func earlierSignIn(for want: Want) async throws(SessionError) -> String? {
        guard case .newSignIn = want else { return nil }
        return try await standing()?.credential.signInID
    }

    /// The stored credential if it satisfies `want`. A refreshed token is a new version, but not a new sign-in.
    ///
    /// What another session's page requested is unknown, and so are the strength and time of its authentication. A caller that needs more
    /// than scope therefore has to show the page.
    private func broughtByOthers(
        _ want: Want, for need: SignInNeed, since earlier: String?
    ) async throws(SessionError) -> (Credential, CredentialVersion)? {
        guard !need.needsOwnPage, !needsOwnPage else { return nil }
        guard let (credential, version) = try await standing(), credential.isFresh(at: now()),
            credential.scope.missing(from: need.scope).isEmpty
        else { return nil }
        let isNew =
            switch want {
            case .credential(let known): version != known
            case .newSignIn: credential.signInID != earlier
            }
        return isNew ? (credential, version) : nil
    }
}
