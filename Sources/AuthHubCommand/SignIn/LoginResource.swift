import AuthHub
import OAuthProtocol
import Platform

/// The protected resource that a sign-in begins at.
struct LoginResource: Sendable {
    /// The URL that the sign-in began at.
    let url: String
    var protection: ResourceProtection
    let indicator: ResourceIndicator
    /// The label of the account for the resource.
    let label: String
    let allowsPrivateServers: Bool
    var skipsProofKeyCheck = false
    var omitsResourceParameter = false

    /// The issuer to sign in at.
    var issuer: String { protection.server.issuer }

    /// The registrations that may provide the client. One that is not only for the resource requires that the user has named the issuer, too.
    var registrationKeys: [RegistrationKey] {
        let own = RegistrationKey(issuer: issuer, resource: protection.resource.resource)
        return protection.isConfirmed ? [own, RegistrationKey(issuer: issuer)] : [own]
    }

    /// Limits the account's tokens to the resource.
    func bind(_ settings: inout AccountSettings) {
        settings.resource = indicator
        settings.isIssuerConfirmed = protection.isConfirmed
        if protection.hasDefaultEndpoints {
            settings.overrides.authorization = protection.server.endpoints.authorization
            settings.overrides.token = protection.server.endpoints.token
        }
        settings.assumesOrigin = protection.isAssumed
        settings.allowsPrivateServers = allowsPrivateServers
        settings.skipsProofKeyCheck = skipsProofKeyCheck
        settings.omitsResourceParameter = omitsResourceParameter
    }

    /// Whether the account was signed in at another server.
    func hasOtherIssuer(than known: AccountSettings?) -> Bool {
        known.map { $0.resource == indicator && !$0.provider.name.hasSameBytes(as: issuer) } ?? false
    }

    /// Whether tokens for an account's resource would be replaced by those of another issuer: the resource is the same, or one of both
    /// contains the other. A compromised resource can name another issuer together with another identifier.
    func competes(with known: AccountSettings) -> Bool {
        guard let resource = known.resource, !known.provider.name.hasSameBytes(as: issuer) else { return false }
        return resource.contains(url) || resource.contains(indicator.text) || indicator.contains(resource.text)
    }

    /// Whether a client that was registered earlier can be used for the sign-in.
    func canUse(_ registration: ClientRegistration, of draft: AccountSettings) throws(Failure) -> Bool {
        let profile = try Failure.translating { try draft.profile() }.applying(protection.server)
        return registration.isUsable(for: protection.scope, at: profile, at: Date())
    }

    /// The failure for a sign-in that must not follow the resource to another server.
    ///
    /// - Parameter options: The options that the command needs, with a space before each.
    func issuerChanged(from former: AccountSettings, _ options: String) -> Failure {
        Failure(
            "security_check_failed", .securityCheckFailed,
            protection.change(from: former.provider.name),
            hint: "if its operator confirms that: authhub login \(url.shellWord)\(options)")
    }

    /// The scope to request: that of the resource, or, for an account that exists, all that was requested before and what the resource
    /// requires now.
    func scope(after known: AccountSettings?) -> Scope? {
        guard let known, known.resource == indicator, !hasOtherIssuer(than: known) else { return protection.scope }
        return protection.scope(after: known.scope)
    }
}
