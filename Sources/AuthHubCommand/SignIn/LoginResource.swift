import AuthHub
import AuthHubPrimitives
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

    /// Limits the account's tokens to the resource.
    func bind(_ settings: inout AccountSettings) {
        protection.bind(&settings)
        settings.allowsPrivateServers = allowsPrivateServers
        settings.skipsProofKeyCheck = skipsProofKeyCheck
        settings.omitsResourceParameter = omitsResourceParameter
    }

    /// Whether the account was signed in at another server.
    func hasOtherIssuer(than known: AccountSettings?) -> Bool { known.map(protection.isAtOtherServer) ?? false }

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

    /// Checks that credentials that were registered at the resource's former server are not shown to another one.
    ///
    /// - Parameters:
    ///   - typed: The client that the user named.
    ///   - environmentID: The client ID in the environment; nil if there is none.
    func check(
        _ settings: AccountSettings, _ found: FoundClient?, typed: ClientRequest, environmentID: String?, known: AccountSettings?
    ) throws(Failure) {
        let isKnown = known.map { $0.resource == indicator && !hasOtherIssuer(than: $0) } ?? false
        let isTyped = typed.secretFile != nil && typed.authentication != .clientSecretJWT
        // A token of a remembered client, or of another account's client, may give access to more than the resource.
        let authenticates = settings.client.secret != nil || settings.client.keys != nil
        var isBorrowed =
            found == nil && typed.secretFile == nil && typed.privateKeyFile == nil && !settings.hasRegisteredClient && authenticates
        if case .remembered = found { isBorrowed = true }
        let isAllowed = isKnown || protection.isConfirmed
        guard isAllowed || !(isTyped || isBorrowed) else {
            throw .usage(
                "\(indicator) names \(issuer) as its server, but nothing shows that this server may have the client's secret, or that the resource may have the client's tokens",
                hint: "if it may, add --issuer \(issuer.shellWord)")
        }
        let isFromEnvironment =
            typed.id == nil && environmentID.map { $0.hasSameBytes(as: settings.client.id) } ?? false
        guard isAllowed || !isFromEnvironment || protection.isKnownToIssuer else {
            throw .usage(
                "\(indicator) names \(issuer) as its server, but nothing shows that the resource may have tokens of the client in AUTHHUB_CLIENT_ID",
                hint: "if it may, add --issuer \(issuer.shellWord); otherwise, unset AUTHHUB_CLIENT_ID")
        }
        guard hasOtherIssuer(than: known), let known, let id = typed.id, id.hasSameBytes(as: known.client.id),
            !id.contains("://")
        else { return }
        throw .usage(
            "\(indicator) now names \(issuer) as its server, but the client \(displayable(id, limit: 100)) is registered at \(known.provider.name)",
            hint: "leave out --client-id, or name a client that is registered there")
    }
}
