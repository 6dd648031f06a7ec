import AuthHubPrimitives
import OAuthProtocol
import Platform
import WebAuthentication

/// Shows the authorization server's page and validates the callback.
struct BrowserSignIn: SignInWay {
    let client: OAuthClient
    let scope: Scope
    let target: AccessTarget
    let claims: ClaimsRequest
    let timeout: Duration
    let browser: any WebAuthenticator
    let pendingSignIns: PendingSignIns
    let backChannel: BackChannel
    let now: @Sendable () -> Date

    var endpoints: Set<Endpoints.Name> { Set([.authorization, .token]).withKeys(for: scope) }

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
        guard let rejection = error.serverError, scope.union(need.scope).contains("offline_access"), need.prompt == nil,
            need.parameters["prompt"] == nil, profile.authorizationParameters["prompt"] == nil
        else { return false }
        return rejection.code == .invalidRequest
            || rejection.code == .invalidScope && rejection.explanation?.lowercased().contains("consent") ?? false
    }

    private func show(at profile: ProviderProfile, for need: SignInNeed, watch: SignInWatch) async throws(SessionError) -> SignInProgress {
        do {
            let attempt = try await prepare(at: profile)
            let request: AuthorizationRequest
            let url: String
            do {
                request = try AuthorizationRequest(
                    to: profile, client: client, redirectURI: attempt.redirectURI,
                    scope: scope.union(need.scope), acrValues: need.requirement.acrValues, maximumAge: need.requirement.maximumAge,
                    claims: claims, resources: target.resources, authorizationDetails: target.details,
                    parameters: need.requestParameters, at: now(), lifetime: timeout)
                url = try await address(of: request, at: profile)
                try await backChannel.checkPage(url)
                try await pendingSignIns.add(request.pending)
            } catch {
                await attempt.close()
                throw error
            }
            let expectation = request.pending
            let received: ReceivedCallback
            do {
                var page = WebAuthenticationRequest(
                    url: url, responseMode: CallbackResponseMode(expectation.responseMode), timeout: timeout
                ) { expectation.expects(AuthorizationCallback($0)) }
                page.onIgnored = watch.ignored
                watch.shows(attempt)
                received = try await attempt.authenticate(page)
            } catch {
                _ = await take(request.pending)
                throw error
            }
            let granted = await validate(received, by: request.pending, at: profile)
            let isSilent = (need.requestParameters["prompt"] ?? profile.authorizationParameters["prompt"]) == "none"
            return SignInProgress(granted: isSilent ? granted : granted.mapError(\.afterPage), page: received)
        } catch {
            throw SessionError(cause: error)
        }
    }

    /// Prepares to receive the callback at the first redirect URI whose port is free.
    private func prepare(at profile: ProviderProfile) async throws(WebAuthenticationError) -> any WebAuthenticationAttempt {
        do throws(WebAuthenticationError) {
            return try await browser.prepare(CallbackMethod(client.redirectURI, at: profile))
        } catch  where error.code == .cannotReceive {
            for other in client.otherRedirectURIs {
                if let attempt = try? await browser.prepare(CallbackMethod(other, at: profile)) { return attempt }
            }
            throw error
        }
    }

    /// The URL to show: that of the request itself, or of a pushed request (RFC 9126). If the reference to a pushed request has expired
    /// before it could be used, for example because the machine was asleep, the request is pushed once more.
    private func address(of request: AuthorizationRequest, at profile: ProviderProfile) async throws -> String {
        guard try profile.pushesAuthorizationRequests() else { return request.url }
        var pushed = try await push(request, at: profile)
        if pushed.expiresAt <= now() { pushed = try await push(request, at: profile) }
        return try pushed.open(at: now())
    }

    private func push(_ request: AuthorizationRequest, at profile: ProviderProfile) async throws -> PushedAuthorization {
        let push = try PushedAuthorizationRequest(request, client: client, at: profile)
        let sentAt = now()
        let answer = try await backChannel.send(push.message)
        let pushed = try push.accept(answer.head, body: answer.body, from: profile, at: sentAt)
        backChannel.tell(pushed.irregularities)
        return pushed
    }

    /// Accepts a callback that did not arrive through the page.
    func accept(
        _ callback: AuthorizationCallback, by pending: PendingAuthorization, at profile: ProviderProfile
    ) async throws(SessionError) -> SignInGrant {
        var pending = pending
        guard try await pendingSignIns.remove(pending) else { throw PendingSignIns.noneExpects }
        return try await grant(callback, by: &pending, at: profile)
    }

    private func validate(
        _ received: ReceivedCallback, by pending: PendingAuthorization, at profile: ProviderProfile
    ) async -> Result<SignInGrant, SessionError> {
        var pending = pending
        do throws(SessionError) {
            guard try await take(pending).get() else {
                throw SessionError(.cancelledByProgram, "this sign-in was finished or cancelled elsewhere in the meantime")
            }
            return .success(try await grant(AuthorizationCallback(received.callback), by: &pending, at: profile))
        } catch {
            return .failure(error)
        }
    }

    private func grant(
        _ callback: AuthorizationCallback, by pending: inout PendingAuthorization, at profile: ProviderProfile
    ) async throws(SessionError) -> SignInGrant {
        let now = now()
        do {
            switch try pending.accept(callback, at: now) {
            case .code(let code):
                let identity = try await identity(nextTo: code, at: profile)
                var request = try TokenRequest.exchange(code, resources: target.resources, client: client, at: profile)
                request.idToken?.counterpart = identity
                // Without a verified ID token, another server may have issued the access token in the callback.
                return .request(request, inCallback: identity == nil ? nil : code.issued)
            case .tokens(let response):
                return .tokens(response, meeting: pending.idToken(for: client, at: profile), issuedAt: now, sentAt: nil)
            }
        } catch {
            throw SessionError(cause: error)
        }
    }

    /// Verifies the ID token in the callback, before the code next to it is sent; nil if none was requested.
    private func identity(nextTo code: AuthorizationCode, at profile: ProviderProfile) async throws(SessionError) -> IDToken? {
        guard let text = code.idToken else { return nil }
        guard let expectation = code.idTokenInCallback(for: client, at: profile) else {
            throw SessionError(.misconfigured, "the ID token in the callback cannot be verified")
        }
        return try await ServerKeys(client: client, backChannel: backChannel).validate(at: profile) { keys throws(OAuthError) in
            try expectation.validate(text, keys: keys, accessToken: code.accessToken, on: .signIn, at: now())
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
