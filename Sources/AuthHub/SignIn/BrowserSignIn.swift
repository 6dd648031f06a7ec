import AuthHubPrimitives
import OAuthProtocol
import Platform
import WebAuthentication

/// Shows the authorization server's page and validates the callback.
struct BrowserSignIn: SignInWay {
    let page: PageFlow
    let browser: any WebAuthenticator
    let pendingSignIns: PendingSignIns

    var endpoints: Set<Endpoints.Name> { page.endpoints }

    func begin(at profile: ProviderProfile, for need: SignInNeed, watch: SignInWatch) async throws(SessionError) -> SignInProgress {
        let progress: SignInProgress
        do throws(SessionError) {
            progress = try await show(at: profile, for: need, watch: watch)
        } catch {
            guard needsConsent(error, need, at: profile) else { throw error }
            return try await show(at: profile, for: need.askingForConsent, watch: watch)
        }
        guard case .failure(let error) = progress.granted, needsConsent(error, need, at: profile) else { return progress }
        await progress.page?.conclude(.failed("the server requires your consent for this access, so another page was opened"))
        return try await show(at: profile, for: need.askingForConsent, watch: watch)
    }

    /// Whether the server may have rejected the request because it asks for permanent access without asking the user for consent (OpenID
    /// Connect Core 1.0 §11). The prompt is not sent by default: other servers would then ask at each sign-in.
    private func needsConsent(_ error: SessionError, _ need: SignInNeed, at profile: ProviderProfile) -> Bool {
        guard let rejection = error.serverError, page.request.scope.union(need.scope).contains("offline_access"), need.prompt == nil,
            need.parameters["prompt"] == nil, profile.authorizationParameters["prompt"] == nil
        else { return false }
        return rejection.code == .invalidRequest
            || rejection.code == .invalidScope && rejection.explanation?.lowercased().contains("consent") ?? false
    }

    private func show(at profile: ProviderProfile, for need: SignInNeed, watch: SignInWatch) async throws(SessionError) -> SignInProgress {
        do {
            let attempt = try await prepare(at: profile)
            let url: String
            let expectation: PendingAuthorization
            do {
                (url, expectation) = try await self.page.begin(at: profile, redirectingTo: attempt.redirectURI, for: need)
                try await pendingSignIns.add(expectation)
            } catch {
                await attempt.close()
                throw error
            }
            let received: ReceivedCallback
            do {
                var page = WebAuthenticationRequest(
                    url: url, responseMode: CallbackResponseMode(expectation.responseMode), timeout: self.page.timeout
                ) { expectation.expects(AuthorizationCallback($0)) }
                page.onIgnored = watch.ignored
                watch.shows(attempt)
                received = try await attempt.authenticate(page)
            } catch {
                _ = await take(expectation)
                throw error
            }
            let granted = await validate(received, by: expectation, at: profile)
            let isSilent = (need.requestParameters["prompt"] ?? profile.authorizationParameters["prompt"]) == "none"
            return SignInProgress(granted: isSilent ? granted : granted.mapError(\.afterPage), page: received)
        } catch {
            throw SessionError(cause: error)
        }
    }

    /// Prepares to receive the callback at the first redirect URI whose port is free.
    private func prepare(at profile: ProviderProfile) async throws(WebAuthenticationError) -> any WebAuthenticationAttempt {
        do throws(WebAuthenticationError) {
            return try await browser.prepare(CallbackMethod(page.request.client.redirectURI, at: profile))
        } catch  where error.code == .cannotReceive {
            for other in page.request.client.otherRedirectURIs {
                if let attempt = try? await browser.prepare(CallbackMethod(other, at: profile)) { return attempt }
            }
            throw error
        }
    }

    /// Accepts a callback that did not arrive through the page.
    func accept(
        _ callback: AuthorizationCallback, by pending: PendingAuthorization, at profile: ProviderProfile
    ) async throws(SessionError) -> SignInGrant {
        var pending = pending
        guard try await pendingSignIns.remove(pending) else { throw PendingSignIns.noneExpects }
        return try await page.grant(callback, by: &pending, at: profile)
    }

    private func validate(
        _ received: ReceivedCallback, by pending: PendingAuthorization, at profile: ProviderProfile
    ) async -> Result<SignInGrant, SessionError> {
        var pending = pending
        do throws(SessionError) {
            guard try await take(pending).get() else {
                throw SessionError(.cancelledByProgram, "this sign-in was finished or cancelled elsewhere in the meantime")
            }
            return .success(try await page.grant(AuthorizationCallback(received.callback), by: &pending, at: profile))
        } catch {
            return .failure(error)
        }
    }

    /// Removes a sign-in from the store, even if the task is cancelled.
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
