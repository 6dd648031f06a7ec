public import AuthHubPrimitives

extension Persona {
    /// How tokens are told.
    public struct TokenAnswerQuirks: Sendable, Hashable {
        public enum Encoding: Sendable, Hashable {
            case json
            case form
            /// As a form, unless the request's `Accept` asks for JSON.
            case formUnlessJSONIsAsked
        }

        public enum GrantedScope: Sendable, Hashable {
            case separated(by: String)
            case array
            case absent
        }

        /// How numbers are written in JSON.
        public enum Numbers: Sendable, Hashable {
            case numbers, texts
        }

        public var encoding = Encoding.json
        /// The media type that forms are sent as.
        public var formMediaType = "application/x-www-form-urlencoded; charset=utf-8"
        /// The member that holds all of them; nil for none.
        public var envelope: String?
        public var grantedScopeName = "scope"
        /// nil for answers without a type.
        public var tokenType: String? = "Bearer"
        public var grantedScope = GrantedScope.separated(by: " ")
        public var numbers = Numbers.numbers
        /// The member that says how many seconds the access token lives; nil for none.
        public var lifetimeName: String? = "expires_in"
        /// The member that says when it ends, in seconds since 1970; nil for none.
        public var endName: String?
        /// The member that says how many seconds the refresh token lives; nil for none.
        public var refreshLifetimeName: String?
        /// Members that every answer has, outside of the envelope.
        public var constantMembers: [String: JSONValue] = [:]

        public init() {}
    }

    /// How errors of the token endpoint are told.
    public struct ErrorQuirks: Sendable, Hashable {
        public enum Dress: Sendable, Hashable {
            /// RFC 6749 §5.2.
            case standard
            /// Its members, with status 200 and in the encoding of tokens.
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

        /// What has happened, where a server may have a name of its own for it.
        public enum Occasion: String, Sendable, Hashable {
            case code, client, redirectURI, refreshToken, grantType, device, deviceCode, deviceFlow
        }

        public struct Words: Sendable, Hashable {
            public var code: String
            public var description: String
            /// A page about it.
            public var page: String?

            public init(_ code: String, _ description: String, page: String? = nil) {
                self.code = code
                self.description = description
                self.page = page
            }
        }

        public var dress = Dress.standard
        /// What stands in for the standard codes and descriptions.
        public var words: [Occasion: Words] = [:]

        public init() {}
    }
}
