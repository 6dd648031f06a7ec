import AuthHubPrimitives
import Platform
import Synchronization

/// The messages that notify clients that a user has signed out of the server.
struct LogoutMessages: Sendable {
    private static let event = "http://schemas.openid.net/event/backchannel-logout"
    /// The suggested maximum, in seconds (OpenID Connect Back-Channel Logout 1.0 §2.4).
    private static let lifetime: Int64 = 120

    let state: ServerState
    let signIn: SessionBook.SignIn

    private var clients: [DevelopmentClient] {
        state.sessions.withLock { $0.clients(of: signIn) }.compactMap { state.client(id: $0) }
    }

    /// The logout tokens, for the clients that have registered a URL (OpenID Connect Back-Channel Logout 1.0 §2.5).
    var forms: [OutgoingForm] {
        clients.compactMap { client in
            guard let url = client.backChannelLogoutURI, let token = token(for: client) else { return nil }
            return OutgoingForm(clientID: client.id, url: url, parameters: ["logout_token": token])
        }
    }

    /// The URLs that the sign-out page loads in frames (OpenID Connect Front-Channel Logout 1.0 §3).
    var frames: [String] {
        clients.compactMap { client in
            client.frontChannelLogoutURI.map {
                RedirectURI.adding(["iss": state.issuer, "sid": signIn.sessionID], to: $0, mode: .query)
            }
        }
    }

    /// OpenID Connect Back-Channel Logout 1.0 §2.4.
    private func token(for client: DevelopmentClient) -> String? {
        let issuedAt = Int64(state.now.timeIntervalSince1970)
        var claims = JSONObject()
        claims["iss"] = .string(state.issuer)
        claims["sub"] = .string(String(signIn.userID))
        claims["aud"] = .string(client.id)
        claims["iat"] = .number(JSONNumber(issuedAt))
        claims["exp"] = .number(JSONNumber(issuedAt + Self.lifetime))
        claims["jti"] = .string(Base64URL.encode(randomBytes(count: 16)))
        claims["events"] = [Self.event: [:]]
        claims["sid"] = .string(signIn.sessionID)
        let algorithm = client.idTokenAlgorithm ?? state.openIDConnect.withLock { $0.algorithm }
        return state.signer(algorithm, for: client)?.token(claims, type: "logout+jwt")
    }
}
