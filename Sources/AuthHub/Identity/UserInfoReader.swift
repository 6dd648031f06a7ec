import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import JOSE
import OAuthProtocol

/// Reads the UserInfo endpoint's response about the signed-in user.
struct UserInfoReader: Sendable {
    let client: OAuthClient
    let keys: ServerKeys
    let profile: ProviderProfile

    /// The maximum size of a response in bytes.
    private static let sizeLimit = 256 * 1024

    /// - Parameter load: Sends a request with the access token.
    func read(
        about person: IDToken, _ load: (LoadRequest) async throws(LoadError) -> LoadResponse
    ) async throws(SessionError) -> UserInfo {
        do {
            let url = try profile.url(of: .userInfo)
            let response = try await load(.userInfo(at: url, of: profile, accepting: "application/json, application/jwt"))
            guard response.notes.redirects.isEmpty else {
                throw SessionError(.serverMisbehaved, "the UserInfo endpoint redirects the request; its response was not used")
            }
            guard response.head.status != .unauthorized else {
                throw SessionError(.signInNeeded, "the UserInfo endpoint does not accept the access token; sign in again")
            }
            let body = Secret(try await response.body.collect(upTo: Self.sizeLimit))
            let content = try UserInfoContent(response.head, body: body, for: client, at: profile, now: keys.backChannel.now())
            guard content.isSigned else { return try validate(content, about: person, keys: nil) }
            return try await keys.validate(at: profile) { keys throws(OAuthError) in try validate(content, about: person, keys: keys) }
        } catch {
            throw SessionError(cause: error)
        }
    }

    private func validate(_ content: UserInfoContent, about person: IDToken, keys: JSONWebKeySet?) throws(OAuthError) -> UserInfo {
        let info = try UserInfo(content, of: person, keys: keys, client: client, at: profile)
        self.keys.backChannel.tell(info.irregularities)
        return info
    }
}

extension LoadRequest {
    /// Creates a request to a UserInfo endpoint (OpenID Connect Core 1.0 §5.3.1).
    package static func userInfo(at url: String, of profile: ProviderProfile, accepting types: String) throws(LoadError) -> Self {
        let readsForm = profile.quirks.identity.userInfoReadsForm
        var request = try Self(readsForm ? .post : .get, url, headers: [.accept: types])
        if readsForm { request.options[CredentialPlace.self] = .form }
        // Another server could claim that any user is signed in.
        request.options[RedirectScope.self] = .sameOrigin
        return request
    }
}
