package import AuthHubPrimitives
package import Platform

extension TokenExchange {
    /// Creates the request for an identity assertion, with which the user's identity provider lets the client act for the user at another
    /// authorization server (Identity Assertion JWT Authorization Grant §4.3).
    ///
    /// - Parameter issuer: The issuer of the other authorization server.
    package static func identityAssertion(
        of subject: TypedToken, for issuer: String, resources: [ResourceIndicator], scope: Scope
    ) -> Self {
        TokenExchange(of: subject, for: .identityAssertion, resources: resources, audiences: [issuer], scope: scope)
    }
}

extension TokenTypeURI {
    /// An identity assertion for another authorization server.
    static let identityAssertion = Self(rawValue: "urn:ietf:params:oauth:token-type:id-jag")
}

extension TokenExchangeResponse {
    /// Returns the identity assertion. It is neither stored nor sent to an API.
    ///
    /// Its signature is for the other server; what it says is compared only to find out early that it would be rejected, and so that it is
    /// shown to no one else.
    ///
    /// - Parameters:
    ///   - issuer: The issuer of the other authorization server.
    ///   - clientID: The ID of the client there.
    /// - Throws: ``OAuthError``: `.invalidResponse` if the response is anything other than an identity assertion, or if that has expired;
    ///   `.securityCheckFailed` if it is for another server or another client.
    package func identityAssertion(for issuer: String, clientID: String, at now: Date) throws(OAuthError) -> Secret<String> {
        guard issuedTokenType == .identityAssertion, tokenType == nil else {
            throw OAuthError(.invalidResponse, "the identity provider issued another type of token instead of an identity assertion")
        }
        guard let assertion = UnverifiedAssertion(issuedToken), assertion.header["typ"]?.string?.lowercased() == "oauth-id-jag+jwt"
        else { throw OAuthError(.invalidResponse, "the identity assertion is not a signed token of the type oauth-id-jag+jwt") }
        let claims = assertion.claims
        guard assertion.audience.count == 1, assertion.audience[0].hasSameBytes(as: issuer), (claims["aud"]?.array?.count ?? 1) == 1 else {
            throw OAuthError(
                .securityCheckFailed, "the identity assertion is not for \(displayable(issuer, limit: 200)), or not only for it")
        }
        guard claims["client_id"]?.string.map({ $0.hasSameBytes(as: clientID) }) ?? false else {
            throw OAuthError(
                .securityCheckFailed, "the identity assertion is for a different client than \(displayable(clientID, limit: 200))")
        }
        guard let expiry = claims["exp"]?.number?.double, expiry > now.timeIntervalSince1970 else {
            throw OAuthError(.invalidResponse, "the identity assertion has expired, or has no expiry")
        }
        return issuedToken
    }
}
