import AuthHubPrimitives
import OAuthProtocol
import WebAuthentication

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Shows the authorization server's page, and judges the callback it leads to.
struct BrowserSignIn: SignInWay {
    let client: OAuthClient
    let scope: Scope?
    let timeout: Duration
    let browser: any WebAuthenticator
    let pendingSignIns: PendingSignIns
    let now: @Sendable () -> Date

    func begin(at profile: ProviderProfile, for need: AuthorizationNeed) async throws(SessionError) -> SignInProgress {
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
            return SignInProgress(granted: await judge(received, by: request.pending, at: profile), page: received)
        } catch {
            throw SessionError(cause: error)
        }
    }

    /// Takes a callback that came by another way than the page.
    func accept(
        _ callback: Secret<String>, by pending: PendingAuthorization, at profile: ProviderProfile
    ) async throws(SessionError) -> SignInGrant {
        var pending = pending
        guard try await pendingSignIns.remove(pending) else { throw PendingSignIns.noneExpects }
        return try grant(callback, by: &pending, at: profile)
    }

    private func judge(
        _ received: ReceivedCallback, by pending: PendingAuthorization, at profile: ProviderProfile
    ) async -> Result<SignInGrant, SessionError> {
        var pending = pending
        do throws(SessionError) {
            guard try await take(pending).get() else {
                throw SessionError(.cancelledByProgram, "this sign-in was finished or ended elsewhere meanwhile")
            }
            return .success(try grant(received.callback.url, by: &pending, at: profile))
        } catch {
            return .failure(error)
        }
    }

    private func grant(
        _ callback: Secret<String>, by pending: inout PendingAuthorization, at profile: ProviderProfile
    ) throws(SessionError) -> SignInGrant {
        do throws(OAuthError) {
            return .request(try TokenRequest.exchange(try pending.accept(callback, at: now()), client: client, at: profile))
        } catch {
            throw SessionError(error)
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
