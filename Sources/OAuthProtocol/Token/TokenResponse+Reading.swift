package import AuthHubPrimitives
package import HTTPTypes
package import Platform

extension TokenResponse {
    /// Reads the response of a token endpoint.
    ///
    /// A lifetime, scope or refresh token that is invalid counts as missing, because rejecting the tokens would gain nothing;
    /// ``irregularities`` reports it.
    ///
    /// - Parameters:
    ///   - now: When the response arrived; lifetimes count from this time.
    ///   - request: The request that the response belongs to.
    /// - Throws: ``OAuthError``: `.serverRejected` if the server returned an error, whatever the status; `.invalidResponse` if the response
    ///   is not a token response. The error shows nothing of the body.
    package init(
        _ head: HTTPResponse, body: Secret<[UInt8]>, to request: TokenRequest, from server: ProviderProfile, at now: Date
    ) throws(OAuthError) {
        let reader = ResponseReader(request: request.message, server: server, now: now)
        do {
            try self.init(reader.content(head, body: body), to: request, from: server, at: now)
        } catch {
            // RFC 6749 §5.1: only a success issues tokens.
            guard error.issued == nil, head.status.kind == .successful else { throw error }
            var error = error
            error.issued = IssuedTokens(
                salvaged: reader.salvaged(head, body), quirks: server.quirks.responses, soleOrigin: request.soleOrigin)
            throw error
        }
    }

    /// Checks the members of a response that is not an error.
    init(_ content: ResponseReader.Content, to request: TokenRequest, from server: ProviderProfile, at now: Date) throws(OAuthError) {
        let quirks = server.quirks.responses
        let members = quirks.innerMembers(of: content.members)
        var irregularities = content.irregularities
        accessToken = try Self.accessToken(quirks.accessToken, in: members)
        switch members[quirks.tokenType] {
        case nil, .null, "":
            if let type = server.defaultTokenType {
                tokenType = type
            } else {
                let problem = "the token response has no token_type"
                guard request.keepsTokenType else { throw OAuthError(.invalidResponse, problem) }
                irregularities.append(problem)
                tokenType = .bearer
            }
        case let value?:
            do {
                tokenType = try Self.tokenType(
                    value, known: quirks.tokenTypes, without: request.message.redaction(andIssuedIn: content.members, quirks))
            } catch {
                // RFC 6749 §7.1: a token of a type that the client does not understand must not be used.
                var error = error
                error.issued = IssuedTokens(
                    in: content.members, quirks: quirks, mustBeRevoked: true, soleOrigin: request.soleOrigin)
                throw error
            }
        }
        let lifetime = Self.seconds(quirks.lifetime, in: members, upTo: Self.longestLifetime, &irregularities)
        let end = lifetime == nil ? quirks.expiry.flatMap { Self.seconds($0, in: members, upTo: 0x1p53, &irregularities) } : nil
        expiresAt = lifetime.map { now.addingTimeInterval($0) } ?? end.map { Date(timeIntervalSince1970: $0) }
        refreshToken =
            switch request.takesRefreshToken ? members[quirks.refreshToken] : nil {
            case nil, .null, "": nil
            case let value?: Self.refreshToken(value, &irregularities)
            }
        refreshTokenExpiresAt = Self.seconds(quirks.refreshTokenLifetime, in: members, upTo: Self.longestLifetime, &irregularities)
            .map { now.addingTimeInterval($0) }
        switch members[quirks.scope] {
        case nil, .null: scope = request.scope
        case .string(let text):
            let granted = Scope(granted: text, separators: server.grantedScopeSeparators, requested: request.scope)
            if granted == nil { irregularities.append("the token response's scope has commas, so the granted scope is unknown") }
            scope = granted ?? request.scope
        case .array(let names) where quirks.scopeMayBeList: scope = Scope(names.compactMap(\.string))
        default:
            irregularities.append("the token response's scope is not a string, so the granted scope is unknown")
            scope = request.scope
        }
        self.members = Secret(content.members)
        self.irregularities = irregularities
        soleOrigin = request.soleOrigin
    }

    /// Visible ASCII only: anything else could break out of a header field (RFC 6749 App. A.12, RFC 6750 §2.1).
    private static func accessToken(_ name: MemberPath, in members: JSONObject) throws(OAuthError) -> Secret<String> {
        guard let text = members[name]?.string, !text.isEmpty else {
            throw OAuthError(.invalidResponse, "the token response has no \(name), or it is empty or not a string")
        }
        guard isUsableToken(text) else {
            throw OAuthError(.invalidResponse, "the \(name) has characters that are not allowed in tokens")
        }
        return Secret(text)
    }

    private static func refreshToken(_ value: JSONValue, _ irregularities: inout [String]) -> Secret<String>? {
        let token = value.string.flatMap(IssuedTokens.refreshToken)
        if token == nil {
            irregularities.append("the token response's refresh_token is not a valid token; it was ignored")
        }
        return token
    }

    static func tokenType(
        _ value: JSONValue, known: [String: TokenType], without redaction: @autoclosure () -> Redaction = Redaction([])
    ) throws(OAuthError) -> TokenType {
        guard let text = value.string else { throw OAuthError(.invalidResponse, "the token_type is not a string") }
        if text.lowercased() == "bearer" { return .bearer }
        if let type = known[text.lowercased()] { return type }
        throw OAuthError(
            .invalidResponse,
            isName(text)
                ? "the token_type \(redaction().applied(to: text)) is not supported"
                : "the token_type is neither supported nor a valid name; it may be a token")
    }

    /// Whether the string can be the name of a type (RFC 6749 §8.1) and is shorter than any token. A token in the wrong member must not be
    /// displayed.
    private static func isName(_ type: String) -> Bool {
        type.utf8.count <= 16 && type.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-._".utf8.contains($0) }
    }

    private static let longestLifetime = 2_147_483_648.0

    /// The seconds in a member, which may be a number or a string. nil if the member is missing, is not a number of seconds, or is 0, which
    /// some servers send for tokens that do not expire.
    private static func seconds(
        _ name: MemberPath, in members: JSONObject, upTo limit: Double, _ irregularities: inout [String]
    ) -> Double? {
        let seconds: Double?
        switch members[name] {
        case nil, .null: return nil
        case .number(let number): seconds = number.double
        case .string(let text): seconds = Double(text)
        default: seconds = nil
        }
        guard let seconds, !seconds.isNaN, seconds >= 0 else {
            irregularities.append("the token response's \(name) is not a number of seconds, so this expiry is unknown")
            return nil
        }
        guard seconds > 0 else {
            irregularities.append("the token response's \(name) is 0, so this expiry is unknown")
            return nil
        }
        return min(seconds, limit)
    }
}
