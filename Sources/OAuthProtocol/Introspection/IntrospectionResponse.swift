public import AuthHubPrimitives
public import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a server says of a token (RFC 7662 §2.2).
///
/// Of a token that is not active nothing else is told, whatever the server added.
public struct IntrospectionResponse: Sendable {
    /// Whether the server takes the token for good now. What it is good for, the other members tell.
    public let isActive: Bool
    /// `exp`; nil where the server does not say.
    public let expiresAt: Date?
    /// `iat`.
    public let issuedAt: Date?
    /// `nbf`: the token is not good before.
    public let notBefore: Date?
    /// All members, those unknown here included; empty for a token that is not active.
    public let members: JSONObject
    /// Removes the token and the client's credentials from what is shown of the response: some servers repeat the request.
    package let redaction: Redaction

    /// - Throws: ``OAuthError``: `.serverRejected` for an error of the server's own; `.invalidResponse` for a status other than 200, for
    ///   an `active` that is missing or no boolean, and for a time that is no number.
    public init(
        _ head: HTTPResponse, body: Secret<[UInt8]>, to request: IntrospectionRequest, from server: ProviderProfile, at now: Date
    ) throws(OAuthError) {
        let members = try ResponseReader(request: request.message, server: server, now: now).members(of: head, body: body)
        guard head.status == .ok else {
            throw OAuthError(.invalidResponse, "the introspection response has status \(head.status.code) instead of 200")
        }
        guard let isActive = members["active"]?.bool else {
            throw OAuthError(.invalidResponse, "the introspection response does not say whether the token is active")
        }
        self.isActive = isActive
        redaction = request.message.redaction
        self.members = isActive ? members : JSONObject()
        expiresAt = try Self.time("exp", in: self.members)
        issuedAt = try Self.time("iat", in: self.members)
        notBefore = try Self.time("nbf", in: self.members)
    }

    /// A time that cannot be read must not count as one that never comes.
    private static func time(_ name: String, in members: JSONObject) throws(OAuthError) -> Date? {
        switch members[name] {
        case nil, .null: return nil
        case .number(let number) where number.double.magnitude <= 0x1p53: return Date(timeIntervalSince1970: number.double)
        default: throw OAuthError(.invalidResponse, "the introspection response's \(name) is not a number of seconds")
        }
    }
}

extension IntrospectionResponse {
    /// Whether the token is good at an instant: active, begun, and not ended by its own times. For answers that were kept a while.
    public func isValid(at now: Date) -> Bool {
        isActive && expiresAt.map { now < $0 } ?? true && notBefore.map { $0 <= now } ?? true
    }

    /// What the token is good for.
    public var scope: Scope? { text("scope").map { Scope($0) } }
    /// The client that the token was issued to.
    public var clientID: String? { text("client_id") }
    /// What people call the one who granted the access: to show, not to compare.
    public var username: String? { text("username") }
    /// How the token is sent (RFC 6749 §7.1).
    public var tokenType: String? { text("token_type") }
    /// `sub`: who granted the access, by the name that the server gives them for good.
    public var subject: String? { text("sub") }
    /// `iss`: the server that issued the token.
    public var issuer: String? { text("iss") }
    /// What names the token itself.
    public var tokenID: String? { text("jti") }

    /// Whom the token is for; empty where the server did not say.
    public var audience: [String] {
        switch members["aud"] {
        case .string(let text)?: [text]
        case .array(let values)?: values.compactMap(\.string)
        default: []
        }
    }

    private func text(_ name: String) -> String? { members[name]?.string }
}
