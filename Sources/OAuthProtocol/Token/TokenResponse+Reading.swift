public import AuthHubPrimitives
public import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension TokenResponse {
    /// Reads the answer of a token endpoint.
    ///
    /// - Parameters:
    ///   - now: When the answer came; lifetimes count from here.
    ///   - request: What was asked.
    /// - Throws: ``OAuthError``: `.serverRejected` for an error of the server's own, whatever the status it comes with;
    ///   `.invalidResponse` for all that is not a token answer. The error holds nothing of the body.
    public init(
        _ head: HTTPResponse, body: Secret<[UInt8]>, to request: TokenRequest, from server: ProviderProfile, at now: Date
    ) throws(OAuthError) {
        try self.init(AnswerReader(server: server, now: now).members(of: head, body: body), to: request, from: server, at: now)
    }

    /// Judges the members of an answer that is not an error.
    init(_ answer: JSONObject, to request: TokenRequest, from server: ProviderProfile, at now: Date) throws(OAuthError) {
        let habits = server.habits.answers
        let members = habits.innerMembers(of: answer)
        accessToken = try Self.token(habits.accessToken, in: members)
        tokenType = try Self.tokenType(members[habits.tokenType], default: server.defaultTokenType, known: habits.tokenTypes)
        if let lifetime = try Self.seconds(habits.lifetime, in: members) {
            expiresAt = now.addingTimeInterval(lifetime)
        } else {
            expiresAt = try habits.end.flatMap { end throws(OAuthError) in try Self.date(end, in: members) }
        }
        refreshToken =
            switch members[habits.refreshToken] {
            case nil, .null: nil
            default: try Self.token(habits.refreshToken, in: members)
            }
        refreshTokenExpiresAt = try Self.seconds(habits.refreshTokenLifetime, in: members).map { now.addingTimeInterval($0) }
        scope =
            switch members[habits.scope] {
            case nil, .null: request.scope
            case .string(let text): Scope(text, separators: server.grantedScopeSeparators)
            case .array(let names) where habits.scopeMayBeList: Scope(names.compactMap(\.string))
            default: throw OAuthError(.invalidResponse, "the token answer's scope is not a text")
            }
        self.members = Secret(answer)
    }

    /// Visible ASCII only: anything else could break out of a header field (RFC 6749 App. A.12, RFC 6750 §2.1).
    private static func token(_ name: MemberPath, in members: JSONObject) throws(OAuthError) -> Secret<String> {
        guard let text = members[name]?.string, !text.isEmpty else {
            throw OAuthError(.invalidResponse, "the token answer has no \(name), or an empty one, or one that is not a text")
        }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw OAuthError(.invalidResponse, "the \(name) holds characters that no token may have")
        }
        return Secret(text)
    }

    private static func tokenType(_ value: JSONValue?, default defaultType: TokenType?, known: [String: TokenType]) throws(OAuthError)
        -> TokenType
    {
        switch value {
        case nil, .null:
            guard let defaultType else { throw OAuthError(.invalidResponse, "the token answer has no token_type") }
            return defaultType
        case .string(let text) where text.lowercased() == "bearer":
            return .bearer
        case .string(let text):
            if let type = known[text.lowercased()] { return type }
            throw OAuthError(
                .invalidResponse,
                isName(text) ? "the token_type \(text) is not known" : "the token_type is neither known nor a name; it may be a token")
        default:
            throw OAuthError(.invalidResponse, "the token_type is not a text")
        }
    }

    /// Whether it can be the name of a type (RFC 6749 §8.1), and is shorter than tokens are: one in the wrong place is not to be shown.
    private static func isName(_ type: String) -> Bool {
        type.utf8.count <= 16 && type.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-._".utf8.contains($0) }
    }

    /// Seconds, as a number or as the text of one; at most 2³¹.
    private static func seconds(_ name: MemberPath, in members: JSONObject) throws(OAuthError) -> Double? {
        let seconds: Double?
        switch members[name] {
        case nil, .null: return nil
        case .number(let number): seconds = number.double
        case .string(let text): seconds = Double(text)
        default: seconds = nil
        }
        guard let seconds, !seconds.isNaN, seconds >= 0 else {
            throw OAuthError(.invalidResponse, "the token answer's \(name) is not a number of seconds")
        }
        return min(seconds, 2_147_483_648)
    }

    /// Seconds since 1970, at most 2⁵³.
    private static func date(_ name: MemberPath, in members: JSONObject) throws(OAuthError) -> Date? {
        let seconds: Double?
        switch members[name] {
        case nil, .null: return nil
        case .number(let number): seconds = number.double
        case .string(let text): seconds = Double(text)
        default: seconds = nil
        }
        guard let seconds, seconds.isFinite, seconds >= 0 else {
            throw OAuthError(.invalidResponse, "the token answer's \(name) is not a time in seconds since 1970")
        }
        return Date(timeIntervalSince1970: min(seconds, 0x1p53))
    }
}
