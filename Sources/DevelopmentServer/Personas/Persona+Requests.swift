package import AuthHubPrimitives

extension Persona {
    /// The quirks of the authorization endpoint.
    package struct AuthorizationQuirks: Sendable, Hashable {
        /// The server's handling of a PKCE challenge (RFC 7636 §4.4).
        package enum CodeChallenge: Sendable, Hashable {
            /// It is checked if there is one; a client without a secret must send one.
            case checked
            /// It is required in every request.
            case required
            /// It is ignored.
            case ignored
            /// It is not supported: a verifier in the token request makes it fail.
            case refused
        }

        /// The encoding of the verifier's hash.
        package enum ChallengeEncoding: Sendable, Hashable {
            case base64URL, hex
        }

        /// The name of the client ID parameter, here and at the token endpoint.
        package var clientIDName = "client_id"
        /// The characters that separate requested scopes.
        package var scopeSeparators: Set<Character> = [" "]
        /// The name of the scope parameter.
        package var scopeName = "scope"
        /// Whether a request for an unknown scope is rejected; otherwise the scope is ignored.
        package var refusesUnknownScopes = true
        /// The handling of PKCE challenges; by default, they are checked.
        package var codeChallenge = CodeChallenge.checked
        /// The encoding of the verifier's hash; by default, base64url (RFC 7636 §4.2).
        package var challengeEncoding = ChallengeEncoding.base64URL
        /// Whether `response_type` and `prompt` are validated.
        package var validatesRequests = true
        /// Parameters that are required to show the sign-in page.
        package var requiredParameters: FormParameters = [:]
        /// Whether the first registered redirect URI is used if a request has none, however many there are.
        package var redirectURIMayBeLeftOut = false
        /// Whether `http://localhost` is rejected as a redirect URI, although the loopback address is accepted.
        package var refusesLocalhost = false
        /// Whether responses include the issuer (RFC 9207).
        package var namesIssuer = true
        /// The path that is appended to the server's URL in the issuer of responses.
        package var issuerPath = ""
        /// Whether a request for a scope is rejected unless the response is requested as a form.
        package var requiresFormForScopes = false
        /// Whether the callback of the user's first sign-in with a client has the parameter `user`, which describes the user.
        package var describesUserOnce = false
        /// Whether the callback includes the granted scopes.
        package var namesGrantedScope = false
        /// The prefix of the URL of a page about an error, followed by its name; nil for no such page.
        package var errorPages: String?

        /// Creates the quirks of a server that follows RFC 6749, RFC 7636 and RFC 9207.
        package init() {}
    }

    /// The quirks of token requests.
    package struct TokenRequestQuirks: Sendable, Hashable {
        /// The place and format of a request's parameters.
        package enum Encoding: Sendable, Hashable {
            case form, json, query
        }

        /// The methods of client authentication (RFC 6749 §2.3).
        package enum ClientAuthentication: Sendable, Hashable {
            case none, basic, post
            /// HTTP Basic for a client without a secret.
            case basicWithEmptyPassword
        }

        /// The accepted encodings. Revocation requests may always be forms.
        package var encodings: Set<Encoding> = [.form]
        /// The accepted methods of client authentication; any other fails.
        package var clientAuthentication: Set<ClientAuthentication> = [.none, .basic, .basicWithEmptyPassword, .post]
        /// The meaning of a token request without a `grant_type`; if nil, it is rejected.
        package var defaultGrantType: String?
        /// Whether the redirect URI may be omitted although the code is bound to one.
        package var redirectURIMayBeLeftOut = false
        /// The header fields that token requests must have.
        package var requiredHeaders: [HeaderDemand] = []

        /// Creates the quirks of a server that accepts forms and every method of client authentication.
        package init() {}
    }

    /// A required header field of requests.
    package struct HeaderDemand: Sendable, Hashable {
        /// The name of the header field, whose value must not be empty.
        package var name: String
        /// The prefix of the value.
        package var beginning: String

        /// Creates a requirement. Without a prefix, any value that is not empty meets it.
        package init(_ name: String, beginning: String = "") {
            self.name = name
            self.beginning = beginning
        }
    }

    /// The requirements and the responses of the API.
    package struct APIQuirks: Sendable, Hashable {
        /// Whether errors and header fields are those of GitHub's REST API; otherwise errors are challenges (RFC 6750 §3).
        package var isGitHub = false
        /// The scope that private repositories need; nil if the API shows them with any scope. Does not concern GitHub Apps.
        package var scopeOfPrivateRepositories: String?
        /// Whether the account's endpoint returns claims, as OpenID Connect's userinfo endpoint does; otherwise, a user as in GitHub's API.
        var accountReturnsClaims = false
        /// The header fields that requests to the API must have.
        package var requiredHeaders: [HeaderDemand] = []

        /// Creates the quirks of an API that follows RFC 6750.
        package init() {}
    }
}

extension Persona.HeaderDemand {
    func isMet(by request: IncomingRequest) -> Bool {
        guard let given = request.header(named: name), !given.isEmpty else { return false }
        return given.hasPrefix(beginning)
    }
}
