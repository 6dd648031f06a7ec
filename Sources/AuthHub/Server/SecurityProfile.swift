import AuthHubPrimitives
import OAuthProtocol

/// A set of rules that a session follows as a whole: no rule can be switched off.
///
/// ```swift
/// var configuration = OAuthSession.Configuration(
///     server: .issuer(try Issuer("https://auth.example.com")), client: client, grant: .authorizationCode(browser), store: store,
///     dependencies: .network)
/// configuration.target.resources = [resource]                // a ResourceIndicator
/// configuration.securityProfile = .mcp
/// ```
///
/// If the configuration or the server does not meet the rules, every operation of the session fails with an error that names what is
/// missing, before anything is sent.
public struct SecurityProfile: Sendable, Hashable {
    private let name: String

    /// The rules for clients of the Model Context Protocol (revision 2026-07-28), for a server whose issuer you know.
    ///
    /// The tokens are for exactly one API (``OAuthSession/Configuration/target``), and are sent only to its URL and to URLs below it, so
    /// ``OAuthSession/Configuration/tokenOrigins`` is empty. The server has an issuer, describes itself by its metadata, and lists PKCE with
    /// S256 if the user signs in on a page. The redirect URI is a loopback or https URI. Sessions always use PKCE, and compare the issuer
    /// of responses, metadata and resources.
    ///
    /// If you only know the URL of the API, use ``ResourceSession``, which follows the same rules.
    public static let mcp = Self(name: "mcp")
}

extension SecurityProfile: CustomStringConvertible {
    public var description: String { name }
}

/// The rules of a profile, with the configuration that they are applied to.
struct SecurityRules: Sendable {
    let profile: SecurityProfile
    /// What the configuration lacks; nil if it meets the rules.
    let problem: SessionError?
    private let showsPage: Bool

    init(
        _ profile: SecurityProfile, server: ProviderProfile, client: OAuthClient, resources: [ResourceIndicator],
        tokenOrigins: Set<Origin>, showsPage: Bool
    ) {
        self.profile = profile
        self.showsPage = showsPage
        var missing: [String] = []
        if resources.count != 1 || !resources.allSatisfy({ server.transport.allows($0.text) }) {
            missing.append("target.resources must contain exactly one https URL")
        }
        if server.issuer == nil || server.endpoints != nil {
            missing.append("the server must be one whose issuer is known and whose metadata names its endpoints")
        }
        if !tokenOrigins.isEmpty { missing.append("tokenOrigins must be empty") }
        if showsPage, case .customScheme = client.redirectURI.kind {
            missing.append("the redirect URI must be a loopback or https URI")
        }
        problem =
            missing.isEmpty
            ? nil
            : SessionError(.misconfigured, "the configuration does not follow the profile \(profile): \(missing.joined(separator: "; "))")
    }

    /// Checks what a sign-in page requires of the server.
    func check(_ server: ServerMetadata?) throws(SessionError) {
        guard showsPage else { return }
        try Self.requireProofKeys(of: server)
    }

    /// Checks that a server says that it supports PKCE with S256 (RFC 8414 §2). Otherwise, it may ignore the challenge.
    ///
    /// - Parameter acceptsUnlisted: Whether to accept metadata without `code_challenge_methods_supported`.
    static func requireProofKeys(of server: ServerMetadata?, acceptsUnlisted: Bool = false) throws(SessionError) {
        if server?.supportsS256 ?? acceptsUnlisted { return }
        let name = displayable(server?.issuer ?? "the server", limit: 200)
        guard let methods = server?.codeChallengeMethods else {
            throw SessionError(
                .securityCheckFailed,
                "\(name) does not say that it supports PKCE with S256 (code_challenge_methods_supported), so a code could be stolen; "
                    + "sign-ins for MCP servers and other resources require it",
                underlying: ResourceAdvice.withoutProofKeys)
        }
        let list = methods.isEmpty ? "none" : displayable(methods.joined(separator: ", "), limit: 100)
        throw SessionError(
            .securityCheckFailed,
            "\(name) does not support PKCE with S256, which is required (code_challenge_methods_supported: \(list))",
            underlying: ResourceAdvice.otherProofKeys)
    }
}
