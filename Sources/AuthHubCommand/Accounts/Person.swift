import AuthHub
import AuthHubPrimitives
import OAuthProtocol
import Platform

/// The user who is signed in, as the server describes them.
struct Person: Sendable {
    let id: String
    var login: String?
    var name: String?
    var email: String?
    /// The verified ID token; nil if only a response of the server's API says who the user is.
    var identity: IDToken?
    /// All claims; nil if the server has its own format.
    var claims: JSONObject?
}

extension Person {
    /// Creates a person from the claims of an OpenID provider (OpenID Connect Core 1.0 §5.1).
    ///
    /// - Parameter identity: The verified ID token; nil if there is none.
    init(_ claims: JSONObject, subject: String, identity: IDToken? = nil) {
        self.init(
            id: subject, login: claims["preferred_username"]?.displayString, name: claims["name"]?.displayString,
            email: claims["email"]?.displayString,
            identity: identity, claims: claims)
    }

    /// The claims about the ID token itself. A UserInfo response may have its own, if it is signed.
    private static let tokenClaims: Set<String> = [
        "iss", "sub", "aud", "azp", "exp", "nbf", "iat", "jti", "nonce", "auth_time", "acr", "amr", "sid", "at_hash", "c_hash", "s_hash",
    ]

    /// Creates a person from the claims of a verified ID token, and those of the UserInfo endpoint, which are newer.
    init(_ identity: IDToken, _ info: UserInfo?) {
        let newer = info?.claims.members.filter { !Self.tokenClaims.contains($0.name) } ?? []
        self.init(identity.claims.merging(newer), subject: identity.subject, identity: identity)
    }

    /// - Parameter withClaims: Whether to include all claims.
    func json(_ account: SignedInAccount, withClaims: Bool) -> JSONValue {
        var object = JSONObject()
        object["account"] = .string(account.label)
        object["provider"] = .string(account.settings.provider.name)
        object["id"] = .string(id)
        object["login"] = login.map(JSONValue.string) ?? .null
        object["name"] = name.map(JSONValue.string) ?? .null
        object["email"] = email.map(JSONValue.string) ?? .null
        object["issuer"] = (identity?.issuer).map(JSONValue.string) ?? .null
        object["verified"] = .bool(identity != nil)
        if withClaims { object["claims"] = claims.map(JSONValue.object) ?? .null }
        return .object(object)
    }

    func text(_ style: Style, without redaction: Redaction) -> String {
        func shown(_ text: String) -> String { escaped(redaction.appliedIgnoringInvisible(text), limit: 255) }
        let details = [name, email].compactMap { $0 }.filter { !$0.isEmpty }.map(shown)
        let name = style(shown(login.flatMap { $0.isEmpty ? nil : $0 } ?? id), .bold)
        let line = ([name] + (details.isEmpty ? [] : [details.joined(separator: ", ")])).joined(separator: "  ")
        guard let identity else { return line }
        return line + "\n" + style("identity verified: user ID \(shown(id)) at \(shown(identity.issuer))", .faint)
    }

    /// Returns all claims, one on each line.
    func claimsText(_ style: Style, without redaction: Redaction, now: Date) -> String {
        style.facts(ClaimText.facts(claims ?? JSONObject(), without: redaction, now: now))
    }
}
