import AuthHubPrimitives
import OAuthProtocol

/// What ties an account to a resource: the same rules for sessions of programs and for the tool.
extension ResourceProtection {
    /// Limits the account's tokens to the resource.
    package func bind(_ settings: inout AccountSettings) {
        settings.resource = indicator
        settings.isIssuerConfirmed = isConfirmed
        settings.assumesOrigin = isAssumed
        guard hasDefaultEndpoints else { return }
        settings.overrides.authorization = server.endpoints.authorization
        settings.overrides.token = server.endpoints.token
    }

    /// The registrations that may provide the client. One that is not only for the resource requires that the user has named the issuer, too.
    package var registrationKeys: [RegistrationKey] {
        let own = RegistrationKey(issuer: server.issuer, resource: resource.resource)
        return isConfirmed ? [own, RegistrationKey(issuer: server.issuer)] : [own]
    }

    /// Whether an account for the resource was signed in at another server.
    package func isAtOtherServer(_ known: AccountSettings) -> Bool {
        known.resource == indicator && !known.provider.name.hasSameBytes(as: server.issuer)
    }

    /// Whether tokens for an account's resource would be replaced by those of another issuer: the resource is the same, or one
    /// contains the other. A compromised resource can name another issuer together with another identifier.
    ///
    /// - Parameter url: The URL that the sign-in began at.
    package func competes(with known: AccountSettings, at url: String) -> Bool {
        guard let resource = known.resource, let indicator, !known.provider.name.hasSameBytes(as: server.issuer) else { return false }
        return resource.contains(url) || resource.contains(indicator.text) || indicator.contains(resource.text)
    }

    /// The scope to request: that of the resource, or, for an account that exists, all that was requested before and what the resource
    /// requires now.
    package func scope(after known: AccountSettings?) -> Scope? {
        guard let known, known.resource == indicator, !isAtOtherServer(known) else { return scope }
        return scope(after: known.scope)
    }
}
