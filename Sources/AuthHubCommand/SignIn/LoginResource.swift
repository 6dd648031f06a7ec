import AuthHub
import OAuthProtocol

/// The protected resource that a sign-in begins at.
struct LoginResource: Sendable {
    let protection: ResourceProtection
    let indicator: ResourceIndicator
    /// The label of the account for the resource.
    let label: String
    let allowsPrivateServers: Bool

    /// The issuer to sign in at.
    var issuer: String { protection.server.issuer }

    /// Limits the account's tokens to the resource.
    func bind(_ settings: inout AccountSettings) {
        settings.resource = indicator
        if protection.hasDefaultEndpoints {
            settings.overrides.authorization = protection.server.endpoints.authorization
            settings.overrides.token = protection.server.endpoints.token
        }
        settings.allowsPrivateServers = allowsPrivateServers
    }

    /// Whether the account was signed in at another server.
    func hasOtherIssuer(than known: AccountSettings?) -> Bool {
        known.map { $0.resource == indicator && !$0.provider.name.hasSameBytes(as: issuer) } ?? false
    }

    /// The failure for a sign-in that must not follow the resource to another server.
    func issuerChanged(from former: AccountSettings) -> Failure {
        Failure(
            "security_check_failed", .securityCheckFailed,
            protection.change(from: former.provider.name),
            hint: "if its operator confirms that: authhub login \(indicator.text.shellWord)")
    }

    /// The scope to request: that of the resource, or, for an account that exists, all that was requested before and what the resource
    /// requires now.
    func scope(after known: AccountSettings?) -> Scope? {
        guard let known, known.resource == indicator, !hasOtherIssuer(than: known) else { return protection.scope }
        return protection.scope(after: known.scope)
    }
}
