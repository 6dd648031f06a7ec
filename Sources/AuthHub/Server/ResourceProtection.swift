import AuthHubPrimitives
package import OAuthProtocol

/// The data that a client needs to request tokens for a protected resource: the resource's own description, its authorization server, and
/// the scope.
package struct ResourceProtection: Sendable {
    /// The metadata of the resource (RFC 9728).
    package let resource: ProtectedResourceMetadata
    /// The metadata of the server that issues its tokens.
    package let server: ServerMetadata
    /// The scope that the resource's challenge names; empty if it names none.
    package let challenged: Scope
    /// Whether the user or the program has named the server, too.
    package var isConfirmed = false
    /// Whether the origin of the resource is assumed to be its server, because the resource has no metadata.
    package var isAssumed = false
    /// Whether neither the resource nor the server publishes metadata, so that the endpoints are assumed.
    package var hasDefaultEndpoints = false
    /// Whether the resource may accept GET. If it does not, it has not sent a challenge yet.
    package var acceptsGET = true
    /// Whether a user signs in. Only then is `offline_access` requested.
    package var isForUser = true

    /// The identifier of the resource, which every request for tokens contains (RFC 8707 §2); nil if it cannot be sent.
    package var indicator: ResourceIndicator? { ResourceIndicator(resource.resource) }

    /// The scope to request: that of the challenge, or else all of the resource; nil to request none. If the server lists it, the scope
    /// for refresh tokens is added.
    package var scope: Scope? {
        let named = challenged.isEmpty ? Scope(resource.scopes ?? []) : challenged
        return named.isEmpty ? nil : named.union(refreshing)
    }

    /// The scope to register a client for, because some servers grant no other: all that sign-ins may ever request.
    package var registrableScope: Scope? {
        let all = Scope(resource.scopes ?? []).union(scope ?? [])
        return all.isEmpty ? nil : all
    }

    /// Returns the scope for another sign-in at the same server: all that was requested before, and what a challenge requires.
    package func scope(after earlier: Scope?) -> Scope? {
        challenged.isEmpty ? earlier ?? scope : (earlier ?? []).union(scope ?? [])
    }

    /// Returns a sentence about a resource whose server is not the one that the account was signed in at.
    package func change(from issuer: String) -> String {
        "\(displayable(resource.resource, limit: 200)) now names \(displayable(server.issuer, limit: 200)) as its server; the account was "
            + "signed in at \(displayable(issuer, limit: 200))"
    }

    private var refreshing: Scope {
        let name = "offline_access"
        return isForUser && server.scopes?.contains(name) ?? false ? Scope([name]) : []
    }
}
