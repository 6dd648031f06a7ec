public import AuthHubPrimitives
package import HTTPTypes
public import Platform

/// An authorization server's information about a token (RFC 7662 §2.2).
///
/// If the token is not active, all other members of the response are ignored, and the other properties are nil or empty.
public struct IntrospectionResponse: Sendable {
    /// Whether the token was active, that is, valid, when the server responded.
    public let isActive: Bool
    /// The time the token expires (`exp`); nil if the server does not say.
    public let expiresAt: Date?
    /// `iat`: when the token was issued.
    package let issuedAt: Date?
    /// `nbf`: the time before which the token is not valid.
    package let notBefore: Date?
    /// All members, including those without a property; empty if the token is not active.
    public let members: JSONObject
    /// Removes the token and the client's credentials from displayed parts of the response, because some servers repeat the request.
    package let redaction: Redaction

    /// Reads the response of an introspection endpoint.
    ///
    /// - Throws: ``OAuthError``: `.serverRejected` if the server returned an error; `.invalidResponse` if the status is not 200, `active`
    ///   is missing or not a Boolean, or a time is not a number.
    package init(
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

    /// Reads a time. An unreadable time is an error, because a missing one means no limit.
    private static func time(_ name: String, in members: JSONObject) throws(OAuthError) -> Date? {
        switch members[name] {
        case nil, .null: return nil
        case .number(let number) where number.double.magnitude <= 0x1p53: return Date(timeIntervalSince1970: number.double)
        default: throw OAuthError(.invalidResponse, "the introspection response's \(name) is not a number of seconds")
        }
    }
}

extension IntrospectionResponse {
    /// Whether the token is active, and the given time is not before its `nbf` and is before its ``expiresAt``.
    ///
    /// Call this before you use a cached response. A missing time sets no limit.
    public func isValid(at now: Date) -> Bool {
        isActive && expiresAt.map { now < $0 } ?? true && notBefore.map { $0 <= now } ?? true
    }

    /// The scope of the token (`scope`); nil if the server does not say.
    public var scope: Scope? { text("scope").map { Scope($0) } }
    /// The client that the token was issued to (`client_id`); nil if the server does not say.
    public var clientID: String? { text("client_id") }
    /// The human-readable name of the user who granted the access, for display, not for comparison.
    package var username: String? { members["username"]?.displayString }
    /// The type of the token (RFC 6749 §7.1).
    package var tokenType: String? { text("token_type") }
    /// The server's permanent identifier of the user who granted access (`sub`); nil if the server does not say.
    public var subject: String? { text("sub") }
    /// `iss`: the server that issued the token.
    package var issuer: String? { text("iss") }
    /// `jti`: the identifier of the token.
    package var tokenID: String? { text("jti") }

    /// `aud`: the APIs that the token is for; empty if the server did not say.
    public var audience: [String] {
        switch members["aud"] {
        case .string(let text)?: [text]
        case .array(let values)?: values.compactMap(\.string)
        default: []
        }
    }

    private func text(_ name: String) -> String? { members[name]?.string }
}
