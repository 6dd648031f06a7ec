import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import Logging
import OAuthProtocol
import Platform

/// Shows a code that the user enters on another device, and polls the server until the user has decided (RFC 8628).
struct DeviceSignIn: SignInWay, SessionPart {
    let context: SessionContext
    let presentation: DeviceCodePresentation

    var endpoints: Set<Endpoints.Name> { Set([.deviceAuthorization, .token]).withKeys(for: scope) }

    func begin(at profile: ProviderProfile, for need: SignInNeed, watch: SignInWatch) async throws(SessionError) -> SignInProgress {
        guard claims.isEmpty else { throw SessionError(.misconfigured, "claims can be requested only on a sign-in page; remove them") }
        try need.requireNoPage("a sign-in on another device")
        let scope = scope.union(need.scope)
        let expectation = try expectation(of: scope, at: profile)
        try await IdentityVerifier(client: client, backChannel: backChannel).prepare(for: expectation, at: profile)
        let authorization = try await authorize(scope, at: profile)
        let polling = DevicePolling(authorization, at: clock.now, patience: signInTimeout)
        let code = DeviceCode(authorization, expiresAt: now().addingTimeInterval(min(authorization.lifetime, signInTimeout) / .seconds(1)))
        await presentation.show(code)
        let outcome: Result<SignInGrant, SessionError>
        do throws(SessionError) {
            outcome = .success(try await poll(polling, for: authorization, at: profile, meeting: expectation))
        } catch {
            outcome = .failure(error)
        }
        // Even if the task is cancelled, the code is still on the screen and has to be dismissed.
        await Task { await presentation.dismiss(code) }.value
        return SignInProgress(granted: outcome)
    }
}

extension DeviceSignIn {
    /// Returns the requirements for the ID token; nil if none is expected.
    ///
    /// Called before the user is asked to sign in, because a sign-in should not fail after the tokens have been issued.
    private func expectation(of scope: Scope, at profile: ProviderProfile) throws(SessionError) -> IDTokenExpectation? {
        do throws(OAuthError) {
            try IDTokenExpectation.check(scope, for: client, at: profile, now: now())
        } catch {
            throw SessionError(error)
        }
        return IDTokenExpectation(scope: scope, client: client, at: profile)
    }

    private func authorize(_ scope: Scope, at profile: ProviderProfile) async throws(SessionError) -> DeviceAuthorization {
        let request: DeviceAuthorizationRequest
        do throws(OAuthError) {
            request = try DeviceAuthorizationRequest(
                to: profile, client: client, scope: scope, resources: target.resources, authorizationDetails: target.details)
        } catch {
            throw SessionError(error)
        }
        let answer = try await backChannel.send(request.message)
        do throws(OAuthError) {
            let authorization = try DeviceAuthorization(answer.head, body: answer.body, to: request, from: profile, at: now())
            for diagnostic in authorization.diagnostics { logger?.warning("\(diagnostic)") }
            return authorization
        } catch {
            throw SessionError(error)
        }
    }

    private func poll(
        _ polling: DevicePolling, for authorization: DeviceAuthorization, at profile: ProviderProfile,
        meeting expectation: IDTokenExpectation?
    ) async throws(SessionError) -> SignInGrant {
        var polling = polling
        var event = DevicePolling.Event.waited
        var sentAt: Date?
        while true {
            switch polling.next(event, at: clock.now) {
            case .wait(let until):
                do throws(CancellationError) {
                    try await clock.sleep(until: until)
                } catch {
                    throw SessionError(cause: error)
                }
                event = .waited
            case .send:
                guard !Task.isCancelled else { throw SessionError(cause: CancellationError()) }
                // In a separate task, which is not cancelled: the response may have tokens, which must not get lost.
                (event, sentAt) = try await Task { await ask(for: authorization, at: profile) }.value.get()
            case .finished(let tokens):
                return .tokens(tokens, meeting: expectation, issuedAt: now(), sentAt: sentAt)
            case .failed(let error):
                throw SessionError(error)
            }
        }
    }

    /// Sends one request to the token endpoint.
    private func ask(
        for authorization: DeviceAuthorization, at profile: ProviderProfile
    ) async -> Result<(DevicePolling.Event, sentAt: Date?), SessionError> {
        do throws(SessionError) {
            let request = try request(for: authorization, at: profile)
            let answer = try await backChannel.send(request.message)
            let issuedAt = now()
            return .success((validate(answer, to: request, from: profile, at: issuedAt), Date(sendingOf: answer.head, now: issuedAt)))
        } catch {
            guard error.code == .unreachable else { return .failure(error) }
            logger?.notice("\(profile.displayName) does not respond; retrying after a pause")
            return .success((.connectionLost, nil))
        }
    }

    private func request(for authorization: DeviceAuthorization, at profile: ProviderProfile) throws(SessionError) -> TokenRequest {
        do throws(OAuthError) {
            return try TokenRequest.polling(for: authorization, resources: target.resources, client: client, at: profile)
        } catch {
            throw SessionError(error)
        }
    }

    private func validate(
        _ answer: (head: HTTPResponse, body: Secret<[UInt8]>), to request: TokenRequest, from profile: ProviderProfile, at now: Date
    ) -> DevicePolling.Event {
        do throws(OAuthError) {
            let response = try TokenResponse(answer.head, body: answer.body, to: request, from: profile, at: now)
            backChannel.tell(response.irregularities)
            return .responded(.success(response))
        } catch {
            return .responded(.failure(error))
        }
    }
}

extension DeviceCode {
    fileprivate init(_ authorization: DeviceAuthorization, expiresAt: Date) {
        userCode = authorization.userCode
        verificationURI = authorization.verificationURI
        completeVerificationURI = authorization.completeVerificationURI
        self.expiresAt = expiresAt
    }
}
