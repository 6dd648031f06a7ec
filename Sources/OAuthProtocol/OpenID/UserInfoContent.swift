package import AuthHubPrimitives
package import HTTPTypes
import JOSE
package import Platform

/// The content of a UserInfo response, decrypted if it was encrypted, before its claims are checked (OpenID Connect Core 1.0 §5.3.2).
package enum UserInfoContent: Sendable {
    /// Claims in JSON.
    case claims(Secret<[UInt8]>)
    /// A signed token with the claims. The server's keys are needed to verify it.
    case signed(Secret<String>)

    /// Reads a response of the UserInfo endpoint.
    ///
    /// - Throws: ``OAuthError``: `.securityCheckFailed` if the response is not signed or encrypted as the client registered, or cannot be
    ///   decrypted; `.invalidResponse` if it is not a UserInfo response.
    package init(
        _ head: HTTPResponse, body: Secret<[UInt8]>, for client: OAuthClient, at server: ProviderProfile, now: Date
    ) throws(OAuthError) {
        if let error = OAuthError.unavailable(head, "the UserInfo request") { throw error }
        guard head.status == .ok else {
            throw OAuthError(.invalidResponse, "the UserInfo endpoint responded \(head.status.code)")
        }
        let encryption = client.registered.userInfoEncryption
        switch head.headerFields.mediaType {
        case "application/jwt":
            let text = Secret(String(decoding: body.reveal(), as: UTF8.self))
            let content = try client.opened(text, as: encryption, called: "the UserInfo response", at: now)
            // A server may encrypt without signing. The connection then proves who the server is, as for JSON.
            self =
                encryption != nil && content.reveal().utf8.first == UInt8(ascii: "{")
                ? .claims(Secret(Array(content.reveal().utf8))) : .signed(content)
        case _ where JSONObject.begins(body.reveal()[...]):
            guard encryption == nil else {
                throw OAuthError(
                    .securityCheckFailed, "the UserInfo response is not encrypted, although the client registered for encryption")
            }
            self = .claims(body)
        default:
            throw OAuthError(.invalidResponse, "the UserInfo response is neither JSON nor a token")
        }
        let mustBeSigned = client.registered.userInfoSignature != nil || server.quirks.identity.userInfoMustBeSigned
        if mustBeSigned, case .claims = self {
            throw OAuthError(.securityCheckFailed, "the UserInfo response is not signed, although the client registered for signatures")
        }
    }

    /// Whether the server's keys are needed.
    package var isSigned: Bool { if case .signed = self { true } else { false } }
}
