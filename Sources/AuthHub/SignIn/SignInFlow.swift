import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol
import WebAuthentication

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One sign-in from the first question to the stored credential.
struct SignInFlow: Sendable {
    /// What someone else's sign-in has to bring to do as well.
    enum Want: Sendable {
        /// Another credential than the one known here (nil: none is).
        case credential(otherThan: CredentialVersion?)
        /// A sign-in that began to count after this one was asked for.
        case newSignIn
    }

    let account: CredentialAccount
    let server: ServerDirectory
    let way: any SignInWay
    let store: any CredentialStore
    let turn: SignInTurn
    let pendingSignIns: PendingSignIns
    let collection: TokenCollection
    let now: @Sendable () -> Date

    /// Waits for its turn, asks the person, collects and stores the tokens, and then tells the person.
    ///
    /// Where someone else who shares the store has signed in while this one waited, theirs is returned, and no page is shown. Cancelling
    /// ends it while it waits and while the person is asked. Once tokens are asked for, the collecting and the storing are finished.
    ///
    /// - Parameters:
    ///   - need: What to ask for beside the session's scope.
    ///   - watch: Told of what happens while the person is asked.
    ///   - mayExchange: Told that the grant was good; answers whether to collect the tokens.
    ///   - mayStore: Whether what was granted may still be stored: not after a sign-out.
    @concurrent
    func run(
        _ want: Want, for need: StepUpRequirement, watch: SignInWatch, mayExchange: @Sendable () async -> Bool,
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
            // What came after the session's sign-out is none of its business: taken, it would be deleted as a late result.
            let mayStore = await mayStore()
            await lease.release()
            guard mayStore else { throw SessionError.signedOutMeanwhile }
            return others
        }
        var page: ReceivedCallback?
        var note: PendingSignIns.Note?
        let outcome: Result<(Credential, CredentialVersion), SessionError>
        do throws(SessionError) {
            try await requireRoom()
            let begun = try await pendingSignIns.begin()
            note = begun
            let progress = try await way.begin(at: profile, for: need, watch: watch)
            page = progress.page
            let grant = try progress.granted.get()
            guard await mayExchange() else {
                // Nor is this one cancelled: what nobody has must not stay good.
                await Task { await collection.decline(grant) }.value
                throw SessionError(.cancelledByProgram, "the caller no longer waits for this sign-in")
            }
            // In a task of its own, which is not cancelled: tokens that were issued must not get lost.
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
            await Task { await collection.revokeWhatCame(with: error) }.value
        }
        return try outcome.get()
    }

    /// Finishes a sign-in whose callback came by another way than its page, such as to a program that was started again.
    ///
    /// Takes the turn if it is free, so that others wait for it rather than show a page; it does not wait for another's page.
    @concurrent
    func finish(
        _ callback: Secret<String>, mayStore: @escaping @Sendable () async -> Bool
    ) async throws(SessionError) -> (Credential, CredentialVersion) {
        let pending = try await pendingSignIns.expecting(callback)
        guard let browser = way as? BrowserSignIn else { throw PendingSignIns.noneExpects }
        // Before it is used up: without the server's metadata nothing could be done with the code.
        let profile = try await server.resolved(needing: way.endpoints)
        let lease = await turn.beginIfFree()
        var note: PendingSignIns.Note?
        let outcome: Result<(Credential, CredentialVersion), SessionError>
        do throws(SessionError) {
            let begun = try await pendingSignIns.begin()
            note = begun
            let grant = try await browser.accept(callback, by: pending, at: profile)
            outcome = await collection.collect(grant, at: profile, mayStore: mayStore) { await finishUnlessSignedOut(begun) }
        } catch {
            outcome = .failure(error)
        }
        if case .failure = outcome, let note { await giveUp(note) }
        await lease?.release()
        if case .failure(let error) = outcome { await collection.revokeWhatCame(with: error) }
        return try outcome.get()
    }
}

extension SignInFlow {
    /// Whether the account was not signed out since the sign-in began, in any process. A store that cannot say so keeps the tokens.
    private func finishUnlessSignedOut(_ note: PendingSignIns.Note) async -> Bool {
        (try? await pendingSignIns.end(note)) ?? true
    }

    /// Removes the note of a sign-in that failed, even if the task is cancelled.
    private func giveUp(_ note: PendingSignIns.Note) async {
        _ = await Task { try? await pendingSignIns.end(note) }.value
    }

    /// Before the person is asked for anything: tokens that cannot be stored are worth nothing to them.
    private func requireRoom() async throws(SessionError) {
        do throws(CredentialStoreError) {
            try await store.prepareToWrite(for: account)
        } catch {
            throw SessionError(error)
        }
    }

    /// What stands in the store; nil also for a record that a sign-in replaces because it is lost.
    ///
    /// - Throws: What keeps the store from being read. The tokens could not be stored either, and a person who has just declined to open it
    ///   is not to be asked again at each further step.
    private func standing() async throws(SessionError) -> (credential: Credential, version: CredentialVersion)? {
        do throws(SessionError) {
            return try await store.credential(of: account)
        } catch  where (error.underlying as? CredentialStoreError)?.asksForReplacement ?? true {
            return nil
        }
    }

    /// The sign-in that the stored credential comes from, where only a later one will do.
    private func earlierSignIn(for want: Want) async throws(SessionError) -> String? {
        guard case .newSignIn = want else { return nil }
        return try await standing()?.credential.signInID
    }

    /// A renewed token is a new version, too: for who wants a new sign-in that is not one.
    ///
    /// How strong or how new someone else's sign-in was is not known, so that who needs it stronger or newer shows the page.
    private func broughtByOthers(
        _ want: Want, for need: StepUpRequirement, since earlier: String?
    ) async throws(SessionError) -> (Credential, CredentialVersion)? {
        guard need.acrValues.isEmpty, need.maximumAge == nil else { return nil }
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
