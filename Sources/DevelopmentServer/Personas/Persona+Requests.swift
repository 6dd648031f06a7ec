public import AuthHubPrimitives

extension Persona {
    /// What the authorization endpoint takes and gives.
    public struct AuthorizationQuirks: Sendable, Hashable {
        /// What a PKCE challenge is to the server (RFC 7636 §4.4).
        public enum CodeChallenge: Sendable, Hashable {
            /// Checked where there is one; a client without a secret must send one.
            case checked
            /// Every request must have one.
            case required
            /// Never looked at.
            case ignored
            /// A verifier in the token request makes it fail.
            case refused
        }

        /// How the hash of the verifier is written.
        public enum ChallengeEncoding: Sendable, Hashable {
            case base64URL, hex
        }

        /// What the client id is called, here and at the token endpoint.
        public var clientIDName = "client_id"
        public var scopeSeparators: Set<Character> = [" "]
        /// The parameter that lists the scopes.
        public var scopeName = "scope"
        public var refusesUnknownScopes = true
        public var codeChallenge = CodeChallenge.checked
        public var challengeEncoding = ChallengeEncoding.base64URL
        /// Whether `response_type` and `prompt` are judged.
        public var judgesRequests = true
        /// Parameters without which there is no sign-in page.
        public var requiredParameters: FormParameters = [:]
        /// Whether a request without a redirect URI means the first registered one, however many there are.
        public var redirectURIMayBeLeftOut = false
        /// Whether `http://localhost` is no redirect URI, although the loopback address is.
        public var refusesLocalhost = false
        /// Whether responses name the issuer (RFC 9207).
        public var namesIssuer = true
        /// What follows the server's address in the issuer that responses name.
        public var issuerPath = ""
        /// Whether the callback lists the scopes that were granted.
        public var namesGrantedScope = false
        /// What precedes the error's name in the address of a page about it; nil for no such page.
        public var errorPages: String?

        public init() {}
    }

    /// What the token endpoint takes.
    public struct TokenRequestQuirks: Sendable, Hashable {
        public enum Encoding: Sendable, Hashable {
            case form, json, query
        }

        /// The ways of client authentication (RFC 6749 §2.3).
        public enum ClientAuthentication: Sendable, Hashable {
            case none, basic, post
            /// A client without a secret, by Basic.
            case basicWithEmptyPassword
        }

        public var encodings: Set<Encoding> = [.form]
        public var clientAuthentication: Set<ClientAuthentication> = [.none, .basic, .basicWithEmptyPassword, .post]
        /// What a token request without a `grant_type` means; nil refuses it.
        public var defaultGrantType: String?
        /// Whether the redirect URI may be left out although the code is bound to one.
        public var redirectURIMayBeLeftOut = false
        public var requiredHeaders: [HeaderDemand] = []

        public init() {}
    }

    /// A header field that a request must have.
    public struct HeaderDemand: Sendable, Hashable {
        public var name: String
        /// What the value begins with.
        public var beginning: String

        public init(_ name: String, beginning: String = "") {
            self.name = name
            self.beginning = beginning
        }
    }

    /// What the API demands and how it speaks.
    public struct APIQuirks: Sendable, Hashable {
        /// Whether refusals and headers are those of GitHub's REST API; else refusals are challenges (RFC 6750 §3).
        public var isGitHub = false
        /// The scope that private repositories need; nil if the API shows them with any scope. Does not concern GitHub Apps.
        public var scopeOfPrivateRepositories: String?
        public var requiredHeaders: [HeaderDemand] = []

        public init() {}
    }
}

extension Persona.HeaderDemand {
    func isMet(by request: IncomingRequest) -> Bool {
        guard let given = request.header(named: name), !given.isEmpty else { return false }
        return given.hasPrefix(beginning)
    }
}
