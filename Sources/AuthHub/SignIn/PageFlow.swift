import AuthHubPrimitives
import OAuthProtocol
import Platform

/// A sign-in on the authorization server's page, without the browser that shows it: creates the request, and checks the callback.
struct PageFlow: Sendable {
    let request: AccessRequest
    /// How long the callback is accepted.
    let timeout: Duration
    let backChannel: BackChannel

    private var client: OAuthClient { request.client }
    private var now: @Sendable () -> Date { backChannel.now }
    var endpoints: Set<Endpoints.Name> { Set([.authorization, .token]).withKeys(for: request.scope) }

    /// Creates the request, and pushes it to the server if the provider uses pushed requests (RFC 9126).
    ///
    /// - Returns: The URL of the page, and the sign-in that waits for the callback.
    func begin(
        at profile: ProviderProfile, redirectingTo redirectURI: String, for need: SignInNeed
    ) async throws -> (url: String, pending: PendingAuthorization) {
        let message = try AuthorizationRequest(
            to: profile, client: client, redirectURI: redirectURI,
            scope: request.scope.union(need.scope), acrValues: need.requirement.acrValues, maximumAge: need.requirement.maximumAge,
            claims: request.claims, resources: request.target.resources, authorizationDetails: request.target.details,
            parameters: need.requestParameters, at: now(), lifetime: timeout)
        let url = try await address(of: message, at: profile)
        try await backChannel.checkPage(url)
        return (url, message.pending)
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

    /// Checks a callback. The sign-in is then used up, unless the callback does not belong to it.
    func grant(
        _ callback: AuthorizationCallback, by pending: inout PendingAuthorization, at profile: ProviderProfile
    ) async throws(SessionError) -> SignInGrant {
        let now = now()
        do {
            switch try pending.accept(callback, at: now) {
            case .code(let code):
                let identity = try await identity(nextTo: code, at: profile)
                var request = try TokenRequest.exchange(code, resources: self.request.target.resources, client: client, at: profile)
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
}
