import AuthHubPrimitives

extension ProviderQuirks {
    /// How the responses of the provider's back-channel endpoints are read.
    package struct ResponseQuirks: Sendable, Hashable {
        /// The encoding of a response.
        package enum Encoding: String, Sendable, Hashable, CaseIterable {
            case json
            /// A form, if the response has the media type of forms.
            case form
            /// A form with the media type `text/plain`.
            case formAsPlainText = "form_as_plain_text"
        }

        /// The accepted encodings.
        package var encodings: Set<Encoding> = [.json, .form]
        /// The object that contains the token's members, if it is present and has an access token. Otherwise the whole response is that
        /// object.
        package var envelope: MemberPath?
        package var accessToken: MemberPath = "access_token"
        package var refreshToken: MemberPath = "refresh_token"
        package var tokenType: MemberPath = "token_type"
        package var scope: MemberPath = "scope"
        /// How many seconds the access token is valid.
        package var lifetime: MemberPath = "expires_in"
        /// When the access token expires, in seconds since 1970, for responses without a lifetime.
        package var expiry: MemberPath?
        /// How many seconds the refresh token is valid.
        package var refreshTokenLifetime: MemberPath = "refresh_token_expires_in"
        /// Whether the granted scope may be a list of strings.
        package var scopeMayBeList = false
        /// The token types for the provider's own names, which are in lower case.
        package var tokenTypes: [String: TokenType] = [:]
        /// The standard codes for the provider's own error codes.
        package var errorCodes: [String: ServerErrorCode] = [:]
        /// Whether status 200 for a pushed request is normal instead of 201 (RFC 9126 §2.2). Otherwise, it is accepted and reported.
        package var acceptsOKForPushedRequests = false
        /// Whether status 200 for a registration is normal instead of 201 (RFC 7591 §3.2.1). Otherwise, it is accepted and reported.
        package var acceptsOKForRegistrations = false
        /// The error formats in addition to the format of RFC 6749 §5.2, tried in order.
        package var errors: [ErrorFormat] = []

        package init() {}
    }
}

extension ProviderQuirks.ResponseQuirks {
    /// The members that describe the token.
    func innerMembers(of response: JSONObject) -> JSONObject {
        guard let envelope, let inner = response[envelope]?.object, inner[accessToken] != nil else { return response }
        return inner
    }
}
