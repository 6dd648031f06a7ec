import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import JOSE
import OAuthProtocol

/// Reads the UserInfo endpoint's response about the signed-in user.
struct UserInfoReader: Sendable {
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
            var request = try LoadRequest.get(url, headers: [.accept: "application/json, application/jwt"])
            // Another server could claim that any user is signed in.
            request.options[RedirectScope.self] = .sameOrigin
            let response = try await load(request)
            guard response.notes.redirects.isEmpty else {
                throw SessionError(.serverMisbehaved, "the UserInfo endpoint redirects the request; its response was not used")
            }
            guard response.head.status != .unauthorized else {
                throw SessionError(.signInNeeded, "the UserInfo endpoint does not accept the access token; sign in again")
            }
            let body = Secret(try await response.body.collect(upTo: Self.sizeLimit))
            guard UserInfo.isSigned(response.head) else { return try judge(response.head, body, about: person, keys: nil) }
            return try await keys.judge(at: profile) { keys throws(OAuthError) in
                try judge(response.head, body, about: person, keys: keys)
            }
        } catch {
            throw SessionError(cause: error)
        }
    }

    private func judge(
        _ head: HTTPResponse, _ body: Secret<[UInt8]>, about person: IDToken, keys: JSONWebKeySet?
    ) throws(OAuthError) -> UserInfo {
        let info = try UserInfo(head, body: body, of: person, keys: keys, clientID: self.keys.client.id, at: profile)
        self.keys.backChannel.tell(info)
        return info
    }
}
