import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol
import WebAuthentication

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One sign-in from the first page to the stored credential.
struct SignInFlow: Sendable {
    /// What someone else's sign-in has to bring to do as well.
    enum Want: Sendable {
        /// Another credential than the one known here (nil: none is).
        case credential(otherThan: CredentialVersion?)
        /// A sign-in that began to count after this one was asked for.
        case newSignIn
    }

    let account: CredentialAccount
    let client: OAuthClient
    let scope: Scope?
    let timeout: Duration
    let server: ServerDirectory
    let browser: any WebAuthenticator
    let store: any CredentialStore
    let turn: SignInTurn
    let pendingSignIns: PendingSignIns
    let exchange: CodeExchange
    let now: @Sendable () -> Date

    /// Waits for its turn, shows the page, judges the callback, exchanges the code, stores the tokens, and then tells the person.
    ///
    /// Where someone else who shares the store has signed in while this one waited, theirs is returned, and no page is shown. Cancelling
    /// ends it while it waits and while the page is shown. Once the code is sent, the exchange and the storing are finished.
    ///
    /// - Parameters:
    ///   - need: What to ask for beside the session's scope.
    ///   - mayExchange: Told that the callback was good; answers whether to send the code.
    ///   - isWanted: Whether what the code brings may still be stored: not after a sign-out.
    @concurrent
    func run(
        _ want: Want, for need: AuthorizationNeed, mayExchange: @Sendable () async -> Bool,
        isWanted: @escaping @Sendable () async -> Bool
    ) async throws(SessionError) -> (Credential, CredentialVersion) {
        let profile = try await server.resolved()
        let earlier = await earlierSignIn(for: want)
        let lease = try await turn.begin()
        if let others = await broughtByOthers(want, for: need, since: earlier) {
            // What came after the session's sign-out is none of its business: taken, it would be deleted as a late result.
            let isWanted = await isWanted()
            await lease.release()
            guard isWanted else { throw SessionError.signedOutMeanwhile }
            return others
        }
        let received: ReceivedCallback?
        let outcome: Result<(Credential, CredentialVersion), SessionError>
        do {
            let (callback, judged) = try await authorize(at: profile, for: need)
            received = callback
            switch judged {
            case .success where await !mayExchange():
                outcome = .failure(SessionError(.cancelledByProgram, "nobody waits for this sign-in any more"))
            case .success(let code):
                // In a task of its own, which is not cancelled: tokens that were issued must not get lost.
                outcome = await Task { await exchange.redeem(code, at: profile, isWanted: isWanted) }.value
            case .failure(let error): outcome = .failure(error)
            }
        } catch {
            received = nil
            outcome = .failure(error)
        }
        await lease.release()
        switch outcome {
        case .success: await received?.conclude(.signedIn)
        case .failure(let error): await received?.conclude(.failed(error.explanation))
        }
        return try outcome.get()
    }

    /// Finishes a sign-in whose callback came by another way than its page, such as to a program that was started again.
    ///
    /// Takes the turn if it is free, so that others wait for it rather than show a page; it does not wait for another's page.
    @concurrent
    func finish(
        _ callback: Secret<String>, isWanted: @escaping @Sendable () async -> Bool
    ) async throws(SessionError) -> (Credential, CredentialVersion) {
        var pending = try await pendingSignIns.expecting(callback)
        // Before it is used up: without the server's metadata nothing could be done with the code.
        let profile = try await server.resolved()
        let lease = await turn.beginIfFree()
        let outcome: Result<(Credential, CredentialVersion), SessionError>
        do {
            guard try await pendingSignIns.remove(pending) else { throw PendingSignIns.noneExpects }
            let code = try pending.accept(callback, at: now())
            outcome = await exchange.redeem(code, at: profile, isWanted: isWanted)
        } catch {
            outcome = .failure(SessionError(cause: error))
        }
        await lease?.release()
        return try outcome.get()
    }
}

extension SignInFlow {
    /// The sign-in that the stored credential comes from, where only a later one will do.
    private func earlierSignIn(for want: Want) async -> String? {
        guard case .newSignIn = want else { return nil }
        return try? await store.credential(of: account)?.credential.signInID
    }

    /// A renewed token is a new version, too: for who wants a new sign-in that is not one.
    ///
    /// How strong or how new someone else's sign-in was is not known, so that who needs it stronger or newer shows the page.
    private func broughtByOthers(
        _ want: Want, for need: AuthorizationNeed, since earlier: String?
    ) async -> (Credential, CredentialVersion)? {
        guard need.acrValues.isEmpty, need.maximumAge == nil else { return nil }
        guard let (credential, version) = try? await store.credential(of: account), credential.isFresh(at: now()),
            credential.scope.missing(from: need.scope).isEmpty
        else { return nil }
        let isNew =
            switch want {
            case .credential(let known): version != known
            case .newSignIn: credential.signInID != earlier
            }
        return isNew ? (credential, version) : nil
    }

    private func authorize(
        at profile: ProviderProfile, for need: AuthorizationNeed
    ) async throws(SessionError) -> (ReceivedCallback, Result<AuthorizationCode, SessionError>) {
        do {
            let attempt = try await browser.prepare(CallbackMethod(client.redirectURI))
            let request: AuthorizationRequest
            do {
                request = try AuthorizationRequest(
                    to: profile, client: client, redirectURI: attempt.redirectURI,
                    scope: (scope ?? profile.defaultScope).union(need.scope), acrValues: need.acrValues, maximumAge: need.maximumAge,
                    at: now(), lifetime: timeout)
                try await pendingSignIns.add(request.pending)
            } catch {
                await attempt.close()
                throw error
            }
            let expectation = request.pending
            let received: ReceivedCallback
            do {
                received = try await attempt.authenticate(
                    WebAuthenticationRequest(url: request.url, timeout: timeout) { expectation.expects($0.url) })
            } catch {
                _ = await take(request.pending)
                throw error
            }
            return (received, await judge(received, by: request.pending))
        } catch {
            throw SessionError(cause: error)
        }
    }

    private func judge(_ received: ReceivedCallback, by pending: PendingAuthorization) async -> Result<AuthorizationCode, SessionError> {
        var pending = pending
        do {
            guard try await take(pending).get() else {
                throw SessionError(.cancelledByProgram, "this sign-in was finished or ended elsewhere meanwhile")
            }
            return .success(try pending.accept(received.callback.url, at: now()))
        } catch {
            return .failure(SessionError(cause: error))
        }
    }

    /// Takes a sign-in out of the store also where the task is cancelled.
    private func take(_ pending: PendingAuthorization) async -> Result<Bool, SessionError> {
        await Task {
            do throws(SessionError) {
                return .success(try await pendingSignIns.remove(pending))
            } catch {
                return .failure(error)
            }
        }.value
    }
}
