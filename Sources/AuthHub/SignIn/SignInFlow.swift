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
    let account: CredentialAccount
    let client: OAuthClient
    let scope: Scope?
    let timeout: Duration
    let server: ServerDirectory
    let browser: any WebAuthenticator
    let store: any CredentialStore
    let backChannel: BackChannel
    let now: @Sendable () -> Date

    /// Shows the page, judges the callback, exchanges the code, stores the tokens, and then tells the person.
    ///
    /// Cancelling ends it while the page is shown. Once the code is sent, the exchange and the storing are finished, because tokens that
    /// were issued must not get lost.
    ///
    /// - Parameters:
    ///   - need: What to ask for beside the session's scope.
    ///   - mayExchange: Told that the person is done; answers whether to send the code.
    ///   - isWanted: Whether what the code brings may still be stored.
    @concurrent
    func run(
        for need: AuthorizationNeed, mayExchange: @Sendable () async -> Bool, isWanted: @escaping @Sendable () async -> Bool
    ) async throws(SessionError) -> (Credential, CredentialVersion) {
        let profile = try await server.resolved()
        let (received, result) = try await authorize(at: profile, for: need)
        let outcome: Result<(Credential, CredentialVersion), SessionError>
        switch result {
        case .success where await !mayExchange():
            outcome = .failure(SessionError(.cancelledByProgram, "nobody waits for this sign-in any more"))
        case .success(let code): outcome = await Task { await self.redeem(code, at: profile, isWanted: isWanted) }.value
        case .failure(let error): outcome = .failure(error)
        }
        switch outcome {
        case .success: await received.conclude(.signedIn)
        case .failure(let error): await received.conclude(.failed(error.explanation))
        }
        return try outcome.get()
    }

    private func authorize(
        at profile: ProviderProfile, for need: AuthorizationNeed
    ) async throws(SessionError) -> (ReceivedCallback, Result<AuthorizationCode, SessionError>) {
        do {
            let attempt = try await browser.prepare(CallbackMethod(client.redirectURI))
            var pending: PendingAuthorization
            let request: AuthorizationRequest
            do {
                request = try AuthorizationRequest(
                    to: profile, client: client, redirectURI: attempt.redirectURI,
                    scope: (scope ?? profile.defaultScope).union(need.scope), acrValues: need.acrValues, maximumAge: need.maximumAge,
                    at: now(), lifetime: timeout)
                pending = request.pending
            } catch {
                await attempt.close()
                throw error
            }
            let expectation = request.pending
            let received = try await attempt.authenticate(
                WebAuthenticationRequest(url: request.url, timeout: timeout) { expectation.expects($0.url) })
            do {
                return (received, .success(try pending.accept(received.callback.url, at: now())))
            } catch {
                return (received, .failure(SessionError(error)))
            }
        } catch {
            throw SessionError(cause: error)
        }
    }

    private func redeem(
        _ code: AuthorizationCode, at profile: ProviderProfile, isWanted: @Sendable () async -> Bool
    ) async -> Result<(Credential, CredentialVersion), SessionError> {
        do {
            let request = try TokenRequest.exchange(code, client: client, at: profile)
            let answer = try await backChannel.send(request.message)
            let issuedAt = now()
            let response = try TokenResponse(answer.head, body: answer.body, to: request, from: profile, at: issuedAt)
            let credential = Credential(response, issuedAt: issuedAt, sentAt: Date(sendingOf: answer.head, now: issuedAt))
            guard await isWanted() else {
                await Revoker(client: client, server: server, backChannel: backChannel).revokeQuietly(credential)
                throw SessionError(.cancelledByProgram, "the session was signed out meanwhile")
            }
            return .success((credential, try await save(credential)))
        } catch {
            return .failure(SessionError(cause: error))
        }
    }

    /// A sign-in replaces whatever stands there.
    private func save(_ credential: Credential) async throws(SessionError) -> CredentialVersion {
        let version: CredentialVersion?
        do throws(CredentialStoreError) {
            version = try await store.overwrite(account, with: credential.record)
        } catch {
            throw SessionError(error)
        }
        guard let version else { throw SessionError(.storeFailed, "other programs keep changing the stored credential") }
        return version
    }
}

extension CallbackMethod {
    init(_ redirectURI: RedirectURI) {
        switch redirectURI.kind {
        case .loopback(let port, let path): self = .loopback(port: port, path: path)
        }
    }
}
