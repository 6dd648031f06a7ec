package import AuthHubPrimitives

extension Persona {
    /// The quirks of ID tokens, keys and the userinfo endpoint; only for OpenID providers.
    package struct OpenIDQuirks: Sendable, Hashable {
        /// The time at which the server replaces its keys by itself.
        package enum KeyRotation: Sendable, Hashable {
            case never
            /// Before each code is issued; the old keys stay published.
            case atAuthorization
            /// Before each ID token is signed; the old keys stay published.
            case beforeSigning
            /// After each ID token is signed; the old keys are withdrawn, so that the published keys do not verify the token.
            case afterSigning
        }

        /// The format of userinfo responses (OpenID Connect Core 1.0 §5.3.2).
        package enum UserInfoFormat: Sendable, Hashable {
            /// The format that the client registered; JSON by default.
            case registered
            /// JSON, whatever the client registered.
            case json
            /// A signed token, whatever the client registered.
            case signed(SigningAlgorithm)
        }

        /// The place of the access token in userinfo requests (RFC 6750 §2).
        package enum UserInfoToken: Sendable, Hashable {
            case headerOrBody, header, body
        }

        /// A way in which a userinfo response refers to claims of another provider (OpenID Connect Core 1.0 §5.6.2).
        package enum OtherClaims: Sendable, Hashable {
            /// The response has the claims, in a signed token.
            case aggregated
            /// The response has the URL of the claims.
            case distributed
        }

        /// The algorithm of ID tokens for clients that registered none.
        package var algorithm = SigningAlgorithm.es256
        /// The algorithms that clients can register.
        package var algorithms = SigningAlgorithm.allCases
        /// Whether ID tokens have the claims of the scopes `profile` and `email`, as userinfo responses do.
        package var hasUserClaimsInIDToken = false
        /// Whether ID tokens have only the claims about the user that the authorization request names (OpenID Connect Core 1.0 §5.5).
        package var userClaimsNeedRequest = false
        /// The scope that allows the claims of `profile`.
        package var profileScope = "profile"
        /// Whether Boolean claims are the strings `true` and `false`.
        package var flagsAreTexts = false
        /// Claims that every ID token has. In their values, `{user}` stands for the ID of the user.
        package var constantClaims: [String: JSONValue] = [:]
        /// The part of the member `issuer` of every key that follows the URL of the server; nil if keys do not have this member.
        package var keyIssuer: String?
        /// Whether responses to a refresh have an ID token.
        package var returnsIDTokenAfterRefresh = true
        /// The time at which the server replaces its keys by itself.
        package var keyRotation = KeyRotation.never
        /// The format of userinfo responses.
        package var userInfo = UserInfoFormat.registered
        /// The place of the access token in userinfo requests.
        package var userInfoToken = UserInfoToken.headerOrBody
        /// Whether tokens are encrypted for clients that registered for encryption.
        package var encryptsTokens = true
        /// The algorithm for the content of encrypted tokens; nil for the registered one.
        package var cipher: ContentCipher?
        /// The ways in which userinfo responses refer to claims of another provider.
        package var otherClaims: Set<OtherClaims> = []
        /// The authentication context classes that sign-ins can have; the first is the default.
        package var contextClasses = ["urn:mace:incommon:iap:bronze", "urn:mace:incommon:iap:silver"]

        /// What is required of the tokens that clients sign to authenticate.
        package var assertions = AssertionRules()
        /// What is wrong with the server's identity assertions; nil for nothing.
        package var identityAssertionFlaw: IdentityAssertionFlaw?

        /// The tenant that ID tokens name, as part of their issuer and in the claim `tid`; nil for a server without tenants.
        package var tenant: String?

        /// Creates the quirks of a server that signs ID tokens with ES256, and responds to userinfo requests as the client registered.
        package init() {}
    }
}
