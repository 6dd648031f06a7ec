package import AuthHubPrimitives

extension Persona {
    /// The quirks of token responses.
    package struct TokenAnswerQuirks: Sendable, Hashable {
        /// The format of the response's body.
        package enum Encoding: Sendable, Hashable {
            case json
            case form
            /// A form, unless the request's `Accept` field names JSON.
            case formUnlessJSONIsAsked
        }

        /// The format of the granted scope in a response.
        package enum GrantedScope: Sendable, Hashable {
            case separated(by: String)
            case array
            case absent
        }

        /// The format of numbers in JSON.
        package enum Numbers: Sendable, Hashable {
            case numbers, texts
        }

        /// The format of token responses; also of errors in the format ``ErrorQuirks/Dress/statusOK``.
        package var encoding = Encoding.json
        /// The media type of forms.
        package var formMediaType = "application/x-www-form-urlencoded; charset=utf-8"
        /// The member that contains all others; nil for none.
        package var envelope: String?
        /// The name of the member with the granted scope.
        package var grantedScopeName = "scope"
        /// The token type; nil to omit it.
        package var tokenType: String? = "Bearer"
        /// The format of the granted scope; by default, a string with spaces (RFC 6749 §3.3).
        package var grantedScope = GrantedScope.separated(by: " ")
        /// The format of lifetimes and expiry times.
        package var numbers = Numbers.numbers
        /// The member with the lifetime of the access token in seconds; nil for none.
        package var lifetimeName: String? = "expires_in"
        /// The member with its expiry, in seconds since 1970; nil for none.
        package var endName: String?
        /// The member with the lifetime of the refresh token in seconds; nil for none.
        package var refreshLifetimeName: String?
        /// Members that every response has, outside the envelope.
        package var constantMembers: [String: JSONValue] = [:]

        /// Creates the quirks of a server that follows RFC 6749 §5.1.
        package init() {}
    }

    /// The quirks of the token endpoint's error responses.
    package struct ErrorQuirks: Sendable, Hashable {
        /// A format of error responses.
        package enum Dress: Sendable, Hashable {
            /// RFC 6749 §5.2.
            case standard
            /// The members of RFC 6749, with status 200 and in the encoding of tokens.
            case statusOK
            /// `{"ok": false, "error": CODE}` with status 200.
            case okFalse
            /// `{"errors": [{"errorType": CODE, "message": …}], "success": false}`.
            case list
            /// `{"message": …, "status": 400}`.
            case message
            /// `{"error": {"type": "OAuthException", "message": …, "code": NUMBER}}`.
            case object
            /// `{"message": "Bad Request", "errors": [{"resource": …, "field": CODE, "code": "invalid"}]}`.
            case fields
        }

        /// The cause of an error, for which a server may have its own name.
        package enum Occasion: String, Sendable, Hashable {
            case code, client, redirectURI, refreshToken, grantType, device, deviceCode, deviceFlow
        }

        /// A server's own code and description of an error.
        package struct Words: Sendable, Hashable {
            /// The code in the response, instead of the standard one.
            package var code: String
            package var description: String
            /// A page about the error.
            package var page: String?

            /// Creates a replacement for a standard code and description.
            package init(_ code: String, _ description: String, page: String? = nil) {
                self.code = code
                self.description = description
                self.page = page
            }
        }

        /// The format of the error responses.
        package var dress = Dress.standard
        /// Replacements for the standard codes and descriptions.
        package var words: [Occasion: Words] = [:]

        /// Creates the quirks of a server that follows RFC 6749 §5.2.
        package init() {}
    }
}
