import AuthHubPrimitives
import Platform

/// The issued codes and tokens, and their status.
///
/// All tokens that descend from one code are a family: revoking the family revokes them all (RFC 9700 §4.14.2).
struct GrantLedger: Sendable {
    typealias FamilyID = UInt64

    private struct Code {
        let grant: AuthorizationGrant
        let binding: CodeBinding
        let expiresAt: Date
        var isSpent = false
        var family: FamilyID?
    }

    private struct AccessToken {
        let family: FamilyID
        let scope: [String]
        let issuedAt: Date
        var audience: [String]
        var expiresAt: Date?
        var isRevoked = false
    }

    private struct RefreshToken {
        let family: FamilyID
        let style: TokenStyle
        let expiresAt: Date
        var isSpent = false
    }

    private struct Family {
        let grant: AuthorizationGrant
        var isRevoked = false
    }

    private var codes = LimitedTable<Secret<String>, Code>(limit: 10_000)
    private var accessTokens = LimitedTable<Secret<String>, AccessToken>(limit: 40_000)
    private var refreshTokens = LimitedTable<Secret<String>, RefreshToken>(limit: 40_000)
    private var families = LimitedTable<FamilyID, Family>(limit: 40_000)
    private var nextFamily: FamilyID = 1
}

// MARK: - Issuing

extension GrantLedger {
    /// Issues a new code for a grant.
    mutating func issueCode(for grant: AuthorizationGrant, bound binding: CodeBinding, lifetime: Duration, at now: Date) -> String {
        let code = Self.randomText(prefix: "", count: 32)
        codes[Secret(code)] = Code(grant: grant, binding: binding, expiresAt: now + lifetime)
        return code
    }

    /// Exchanges a code for tokens. A code is invalid after its first use, whether or not that succeeds (RFC 6749 §4.1.2).
    ///
    /// - Parameter redirectURIIsOptional: Whether the token request may omit the redirect URI although the code is bound to one.
    mutating func redeem(
        code text: String, clientID: String, redirectURI: String?, redirectURIIsOptional: Bool, codeVerifier: String?, style: TokenStyle,
        at now: Date
    ) throws(GrantRefusal) -> IssuedTokens {
        let key = Secret(text)
        guard var code = codes[key] else { throw .unknown }
        guard code.grant.clientID == clientID else { throw .otherClient }
        guard !code.isSpent else {
            throw .usedBefore(revokedFamily: code.family.map { revokeFamily($0) } ?? false)
        }
        code.isSpent = true
        codes[key] = code
        guard now < code.expiresAt else { throw .expired }
        let binding = code.binding
        if let redirectURI {
            guard redirectURI == binding.redirectURI else { throw .redirectURIDiffers }
        } else if binding.redirectURIWasSent, !redirectURIIsOptional {
            throw .redirectURIDiffers
        }
        try binding.check(codeVerifier)

        let family = newFamily(for: code.grant)
        code.family = family
        codes[key] = code
        return issue(in: family, grant: code.grant, scope: code.grant.scope, style: style, at: now)
    }

    /// Issues tokens for a grant without a code.
    mutating func issue(for grant: AuthorizationGrant, style: TokenStyle, at now: Date) -> IssuedTokens {
        issue(in: newFamily(for: grant), grant: grant, scope: grant.scope, style: style, at: now)
    }

    private mutating func newFamily(for grant: AuthorizationGrant) -> FamilyID {
        defer { nextFamily += 1 }
        families[nextFamily] = Family(grant: grant)
        return nextFamily
    }

    /// Exchanges a refresh token for new tokens; it cannot be used again, and a second use revokes the family (RFC 9700 §4.14.2).
    mutating func refresh(_ text: String, clientID: String, scope: [String]?, at now: Date) throws(GrantRefusal) -> IssuedTokens {
        let key = Secret(text)
        guard var token = refreshTokens[key], let family = families[token.family] else { throw .unknown }
        guard family.grant.clientID == clientID else { throw .otherClient }
        guard !token.isSpent else { throw .usedBefore(revokedFamily: revokeFamily(token.family)) }
        guard !family.isRevoked else { throw .unknown }
        guard now < token.expiresAt else { throw .expired }
        let scope = scope ?? family.grant.scope
        guard Set(scope).isSubset(of: family.grant.scope) else { throw .scopeNotGranted }
        token.isSpent = token.style.rotatesRefreshTokens
        refreshTokens[key] = token
        if token.style.refreshEndsAccessTokens { revokeAccessTokens(of: token.family) }
        return issue(in: token.family, grant: family.grant, scope: scope, style: token.style, isRefresh: true, at: now)
    }

    private mutating func issue(
        in family: FamilyID, grant: AuthorizationGrant, scope: [String], style: TokenStyle, isRefresh: Bool = false, at now: Date
    ) -> IssuedTokens {
        let accessToken = Self.randomText(prefix: style.accessTokenPrefix, count: 36)
        accessTokens[Secret(accessToken)] = AccessToken(
            family: family, scope: scope, issuedAt: now, audience: grant.resources, expiresAt: style.accessTokenLifetime.map { now + $0 })
        var refreshToken: String?
        if let lifetime = style.refreshTokenLifetime, grant.mayBeRefreshed, style.rotatesRefreshTokens || !isRefresh {
            let text = Self.randomText(prefix: style.refreshTokenPrefix, count: 76)
            refreshTokens[Secret(text)] = RefreshToken(family: family, style: style, expiresAt: now + lifetime)
            refreshToken = text
        }
        return IssuedTokens(
            accessToken: accessToken, accessTokenLifetime: style.accessTokenLifetime, refreshToken: refreshToken,
            refreshTokenLifetime: style.refreshTokenLifetime, grant: grant, scope: scope)
    }

    /// Returns only letters and digits, like GitHub's tokens, so that a double click selects a whole token.
    private static func randomText(prefix: String, count: Int) -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).reduce(into: prefix) { text, _ in
            text.append(letters[Int.random(in: letters.indices, using: &generator)])
        }
    }

    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
}

// MARK: - Looking up

extension GrantLedger {
    /// Returns the grant and scope of a valid access token.
    func holder(ofAccessToken text: String, at now: Date) -> (grant: AuthorizationGrant, scope: [String], audience: [String])? {
        guard let token = accessTokens[Secret(text)], !token.isRevoked, let family = families[token.family], !family.isRevoked,
            token.expiresAt.map({ now < $0 }) ?? true
        else { return nil }
        return (family.grant, token.scope, token.audience)
    }

    func isFromDevice(refreshToken text: String) -> Bool {
        refreshTokens[Secret(text)].flatMap { families[$0.family]?.grant.isFromDevice } ?? false
    }

    /// Returns the client that an access or refresh token was issued to, whether or not the token is still valid.
    func clientID(ofToken text: String) -> String? {
        let family = accessTokens[Secret(text)]?.family ?? refreshTokens[Secret(text)]?.family
        return family.flatMap { families[$0]?.grant.clientID }
    }
}

extension GrantLedger {
    /// The introspection response for a valid token (RFC 7662 §2.2).
    struct Description {
        let grant: AuthorizationGrant
        let scope: [String]
        let audience: [String]
        let issuedAt: Date?
        let expiresAt: Date?
        let isAccessToken: Bool
    }

    func description(ofToken text: String, at now: Date) -> Description? {
        if let token = accessTokens[Secret(text)] {
            guard let holder = holder(ofAccessToken: text, at: now) else { return nil }
            return Description(
                grant: holder.grant, scope: token.scope, audience: token.audience, issuedAt: token.issuedAt, expiresAt: token.expiresAt,
                isAccessToken: true)
        }
        guard let token = refreshTokens[Secret(text)], !token.isSpent, now < token.expiresAt, let family = families[token.family],
            !family.isRevoked
        else { return nil }
        return Description(
            grant: family.grant, scope: family.grant.scope, audience: [], issuedAt: nil, expiresAt: token.expiresAt, isAccessToken: false)
    }

    /// Returns the grant of a code or refresh token, valid or not.
    func grant(of text: String) -> AuthorizationGrant? {
        codes[Secret(text)]?.grant ?? refreshTokens[Secret(text)].flatMap { families[$0.family]?.grant }
    }

    mutating func narrow(accessToken text: String, to audience: [String]) {
        accessTokens[Secret(text)]?.audience = audience
    }

    /// Replaces the text of an access token that has not been sent yet.
    mutating func issue(_ accessToken: String, as text: String) {
        accessTokens[Secret(text)] = accessTokens[Secret(accessToken)]
    }

    /// Revokes all tokens of a client that is no longer registered.
    mutating func revokeAll(of clientID: String) {
        families.updateAll { if $0.grant.clientID == clientID { $0.isRevoked = true } }
    }
}

// MARK: - Revoking

extension GrantLedger {
    /// Revokes a single access token, or a refresh token with its whole family (RFC 7009 §2.1).
    ///
    /// - Returns: Whether this revoked a family.
    @discardableResult
    mutating func revoke(_ text: String) -> Bool {
        let key = Secret(text)
        if var token = accessTokens[key] {
            token.isRevoked = true
            accessTokens[key] = token
            return false
        }
        return refreshTokens[key].map { revokeFamily($0.family) } ?? false
    }

    /// Revokes all tokens that descend from the same code as this access token.
    @discardableResult
    mutating func revokeGrant(ofAccessToken text: String) -> Bool {
        accessTokens[Secret(text)].map { revokeFamily($0.family) } ?? false
    }

    /// Revokes every access token issued so far; refresh tokens stay valid.
    mutating func revokeAllAccessTokens() {
        accessTokens.updateAll { $0.isRevoked = true }
    }

    /// Expires every access token issued so far; refresh tokens stay valid.
    mutating func expireAllAccessTokens(at now: Date) {
        accessTokens.updateAll { $0.expiresAt = now }
    }

    /// Revokes all tokens issued so far, as if the users had withdrawn their consent.
    mutating func revokeAllGrants() {
        families.updateAll { $0.isRevoked = true }
    }

    private mutating func revokeAccessTokens(of family: FamilyID) {
        accessTokens.updateAll { if $0.family == family { $0.isRevoked = true } }
    }

    /// Revokes a family.
    ///
    /// - Returns: Whether it was not revoked before.
    private mutating func revokeFamily(_ id: FamilyID) -> Bool {
        guard var family = families[id], !family.isRevoked else { return false }
        family.isRevoked = true
        families[id] = family
        return true
    }
}

extension Date {
    static func + (date: Self, duration: Duration) -> Self {
        date.addingTimeInterval(duration / .seconds(1))
    }
}
