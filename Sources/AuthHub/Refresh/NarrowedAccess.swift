import AuthHubPrimitives
package import OAuthProtocol

/// What an access token should be limited to.
package struct NarrowedAccess: Sendable {
    /// The scope; empty for all that was granted.
    package var scope: Scope
    /// The APIs, as URIs (RFC 8707); nil for those that were granted.
    package var resources: [ResourceIndicator]?
    /// The APIs, by names that only a token exchange can request (RFC 8693 §2.1).
    package var audiences: [String]

    package init(scope: Scope = [], resources: [ResourceIndicator]? = nil, audiences: [String] = []) {
        self.scope = scope
        self.resources = resources
        self.audiences = audiences
    }
}

extension NarrowedAccess {
    /// Checks that a token has the requested scope.
    ///
    /// - Parameter full: The account's own access token, which a server returns that ignores the request.
    /// - Throws: ``SessionError`` with `.serverMisbehaved`. The token is not revoked, because some servers then revoke the whole grant.
    func check(_ token: AccessToken, insteadOf full: Secret<String>) throws(SessionError) {
        guard token.value != full else {
            throw SessionError(.serverMisbehaved, "the server returned the account's own access token instead of one with less access")
        }
        guard !scope.isEmpty else { return }
        let missing = token.scope.missing(from: scope)
        guard missing.isEmpty, scope.missing(from: token.scope).isEmpty else {
            throw SessionError(
                .serverMisbehaved,
                "the server issued a token with the scope “\(displayable(token.scope.description, limit: 500))” instead of “\(scope)”; the token is not used"
            )
        }
    }
}
