public import AuthHubPrimitives
public import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a token exchange brought (RFC 8693 §2.2.1), after every check.
public struct TokenExchangeResponse: Sendable {
    /// The token, whatever it is: the member is named `access_token` for historical reasons.
    public let issuedToken: Secret<String>
    public let issuedTokenType: TokenTypeURI
    /// How it is presented to an API; nil where it is no access token (`N_A`).
    public let tokenType: TokenType?
    private let response: TokenResponse

    /// - Throws: ``OAuthError`` as ``TokenResponse`` does; also `.invalidResponse` where `issued_token_type` is missing or no URI.
    public init(
        _ head: HTTPResponse, body: Secret<[UInt8]>, to request: TokenRequest, from server: ProviderProfile, at now: Date
    ) throws(OAuthError) {
        var content = try ResponseReader(request: request.message, server: server, now: now).content(head, body: body)
        guard let issued = content.members["issued_token_type"]?.string, isAbsoluteURI(issued) else {
            throw OAuthError(.invalidResponse, "the response does not say what type of token was issued (issued_token_type)")
        }
        let isForNoRequest = content.members["token_type"]?.string?.lowercased() == "n_a"
        if isForNoRequest { content.members["token_type"] = .string(TokenType.bearer.rawValue) }
        response = try TokenResponse(content, to: request, from: server, at: now)
        issuedToken = response.accessToken
        issuedTokenType = TokenTypeURI(rawValue: issued)
        tokenType = isForNoRequest ? nil : response.tokenType
    }
}

extension TokenExchangeResponse {
    /// nil where the server did not say.
    public var expiresAt: Date? { response.expiresAt }
    /// What was granted: what the server names, else what was asked for.
    public var scope: Scope { response.scope }
    /// Rarely there: a token that is exchanged for is mostly short-lived (§2.2.1).
    public var refreshToken: Secret<String>? { response.refreshToken }

    /// A member of the answer as it came, but `token_type`, for what servers add. May be secret.
    public func member(_ name: String) -> Secret<JSONValue>? { response.member(name) }
}
