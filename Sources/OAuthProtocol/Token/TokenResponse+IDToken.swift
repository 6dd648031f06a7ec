import AuthHubPrimitives
package import JOSE
package import Platform

extension TokenResponse {
    /// Verifies the ID token of the response.
    ///
    /// - Parameters:
    ///   - keys: The server's keys.
    /// - Returns: nil if there is none and none is needed: after a refresh, or if the provider's profile says so (TR18).
    /// - Throws: ``OAuthError`` with `.securityCheckFailed`. The tokens of the response are in ``OAuthError/issued``.
    package func idToken(
        meeting expectation: IDTokenExpectation, keys: JSONWebKeySet, on occasion: IDTokenExpectation.Occasion, at now: Date
    ) throws(OAuthError) -> IDToken? {
        do throws(OAuthError) {
            switch members.reveal()["id_token"] {
            case nil, .null, "":
                guard occasion.isRefresh || expectation.mayBeMissing else {
                    throw OAuthError(
                        .securityCheckFailed,
                        "the server issued no ID token, although openid was requested; request a scope without openid")
                }
                return nil
            case .string(let text):
                return try expectation.validate(Secret(text), keys: keys, accessToken: accessToken, on: occasion, at: now)
            default:
                throw OAuthError(.securityCheckFailed, "the id_token of the token response is not a string")
            }
        } catch {
            throw rejected(because: error)
        }
    }

    /// Whether the response has an ID token.
    package var hasIDToken: Bool { members.reveal()["id_token"].map { $0 != .null && $0 != "" } ?? false }
}
