import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import OAuthProtocol

/// Finds out who signed in, with tokens that are not stored yet.
struct UserFinder: Sendable {
    let server: ServerDirectory
    let backChannel: BackChannel

    /// Returns the user of new tokens: from the ID token, or else from the server's endpoint.
    ///
    /// - Returns: nil if the server does not say. That is not an error, because the tokens can be used anyway.
    func user(of credential: Credential, at profile: ProviderProfile) async -> SignedInUser? {
        guard let token = credential.idToken.flatMap(IDToken.init(stored:)) else {
            return await userWithoutToken(of: credential, at: profile)
        }
        let user = SignedInUser(token)
        guard user.name == nil, let endpoint = profile.endpoints?.userInfo else { return user }
        var claims = profile
        claims.quirks.account = .init()
        // A response about another user is ignored (OpenID Connect Core 1.0 §5.3.2).
        guard let response = await response(at: endpoint, of: claims, credential), response.id.hasSameBytes(as: user.id) else {
            return user
        }
        return SignedInUser(id: user.id, name: response.name, source: .idToken)
    }

    private func userWithoutToken(of credential: Credential, at profile: ProviderProfile) async -> SignedInUser? {
        let hasOwnFormat = profile.quirks.account.id != nil
        guard hasOwnFormat || credential.scope.contains("openid"), let endpoint = profile.accountEndpoint,
            let response = await response(at: endpoint, of: profile, credential)
        else { return nil }
        return SignedInUser(id: response.id, name: response.name, source: hasOwnFormat ? .account : .userInfo)
    }

    private func response(at endpoint: String, of profile: ProviderProfile, _ credential: Credential) async -> AccountResponse? {
        guard profile.transport.allows(endpoint), let origin = Origin(url: endpoint), server.sendsToken(to: origin),
            credential.mayBeSent(to: origin, alsoAllowing: server.tokenOrigins), !profile.quirks.identity.userInfoReadsForm,
            let request = request(to: endpoint, of: profile, credential), let (head, body) = try? await backChannel.send(request),
            head.status == .ok
        else { return nil }
        return AccountResponse(body.reveal(), from: profile)
    }

    private func request(to endpoint: String, of profile: ProviderProfile, _ credential: Credential) -> LoadRequest? {
        var request: LoadRequest?
        if let query = profile.quirks.account.query {
            let body: JSONValue = ["query": .string(query)]
            request = try? LoadRequest(.post, endpoint, headers: [.contentType: "application/json"], body: .bytes(body.serialized()))
        } else {
            request = try? LoadRequest(.get, endpoint)
        }
        request?.head.headerFields[.accept] = "application/json"
        for field in server.apiHeaders { request?.head.headerFields[field.name] = field.value }
        request?.head.headerFields[.authorization] = credential.authorization.reveal().value
        return request
    }
}
