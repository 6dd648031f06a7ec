public import AuthHubPrimitives
package import HTTPTypes
public import Platform

/// The response to a token exchange (RFC 8693 §2.2.1). It has passed all checks.
public struct TokenExchangeResponse: Sendable {
    /// The issued token, which can be of any type. The response contains it in `access_token`, for historical reasons.
    public let issuedToken: Secret<String>
    /// The type of the issued token, as the server returned it.
    public let issuedTokenType: TokenTypeURI
    /// The way to present the token to an API; nil if it is not an access token (`N_A`).
    public let tokenType: TokenType?
    private let response: TokenResponse

    /// - Throws: ``OAuthError`` as ``TokenResponse`` does; also `.invalidResponse` if `issued_token_type` is missing or not a URI.
    package init(
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
    /// The time the token expires; nil if the server does not say.
    public var expiresAt: Date? { response.expiresAt }
    /// The granted scope. If the response names none, it is the requested scope.
    public var scope: Scope { response.scope }
    /// The refresh token; nil if none was issued, as is usual for a token exchange (RFC 8693 §2.2.1).
    package var refreshToken: Secret<String>? { response.refreshToken }

    /// Returns a member of the response as received, except `token_type`, for members that servers add. It may be secret.
    package func member(_ name: String) -> Secret<JSONValue>? { response.member(name) }
}
