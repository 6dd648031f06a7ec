public import AuthHubPrimitives

/// A client that is registered at the server (RFC 6749 §2).
public struct DevelopmentClient: Sendable, Hashable {
    /// The client ID (RFC 6749 §2.2).
    public var id: String
    /// The client secret; nil for a public client, which cannot keep a secret (RFC 6749 §2.1).
    public var secret: Secret<String>?
    /// The kind of registration at GitHub, which determines the form of the client's tokens. Other personas ignore it.
    public var kind: Persona.ClientKind
    /// The name that the consent page shows.
    public var name: String
    /// The redirect URIs. Redirect URIs are compared character by character, except that the port of a loopback address is ignored (RFC
    /// 8252 §7.3). A redirect URI that starts with a slash is a page on the server itself.
    public var redirectURIs: [String]
    /// Whether it may sign users in with the device flow (RFC 8628).
    package var allowsDevices = true
    /// The registered `id_token_signed_response_alg`; nil for the server's default.
    package var idTokenAlgorithm: SigningAlgorithm?
    /// The registered `userinfo_signed_response_alg`; nil for JSON.
    package var userInfoAlgorithm: SigningAlgorithm?

    /// The registered encryption of ID tokens; nil for none.
    package var idTokenEncryption: TokenEncryption?
    /// The registered encryption of userinfo responses; nil for none.
    package var userInfoEncryption: TokenEncryption?
    /// Whether it authenticates only with tokens that it signs, with its key or its secret.
    package var mustSign = false
    /// The registered public keys (`jwks`).
    package var publicKeys: [JSONObject] = []
    /// The registered `initiate_login_uri`, to which browsers are sent to sign in; nil for none.
    package var initiateLoginURI: String?
    /// The registered `post_logout_redirect_uris`; nil for the redirect URIs.
    package var postLogoutRedirectURIs: [String]?
    /// The registered `backchannel_logout_uri`, to which logout tokens are posted; nil for none. Only http URLs on this machine receive
    /// them.
    package var backChannelLogoutURI: String?
    /// The registered `frontchannel_logout_uri`, which the sign-out page loads in a frame; nil for none.
    package var frontChannelLogoutURI: String?

    /// Creates a client, which may also use the device flow. A client without a secret is a public client.
    public init(id: String, secret: Secret<String>? = nil, kind: Persona.ClientKind = .oauthApp, name: String, redirectURIs: [String]) {
        self.id = id
        self.secret = secret
        self.kind = kind
        self.name = name
        self.redirectURIs = redirectURIs
    }
}

extension DevelopmentClient {
    /// Whether it can authenticate (RFC 6749 §2.1).
    var isConfidential: Bool { secret != nil || mustSign }

    /// The redirect URIs of the predefined clients: loopback with any port, two custom schemes, an https link.
    package static let exampleRedirectURIs = [
        "http://127.0.0.1/callback",
        "com.example.authhub:/callback",
        "authhub://callback",
        "http://[::1]/callback",
        "http://localhost/callback",
        "https://example.com/auth/callback",
    ]

    /// Returns the clients that are registered if the configuration has none. Their secrets do not protect anything, because they are the
    /// same in every copy of this program.
    public static func examples(for persona: Persona) -> [Self] {
        let redirectURIs = exampleRedirectURIs
        if let pinPath = persona.pinPath { return aniListExamples(pinPath: pinPath) }
        return if persona.api.isGitHub {
            [
                Self(
                    id: "Iv23liDevelopment0001", secret: Secret("0123456789abcdef0123456789abcdef01234567"), kind: .gitHubApp,
                    name: "Example GitHub App", redirectURIs: redirectURIs),
                Self(
                    id: "Ov23liDevelopment0002", secret: Secret("76543210fedcba9876543210fedcba9876543210"), kind: .oauthApp,
                    name: "Example OAuth App", redirectURIs: redirectURIs),
            ]
        } else {
            [
                Self(id: "native-app", name: "Example Native App", redirectURIs: redirectURIs),
                Self(
                    id: "web-app", secret: Secret("development-secret-of-the-web-app"), name: "Example Web App", redirectURIs: redirectURIs),
            ]
        }
    }

    /// The port of the loopback redirect URI of AniList's clients: if no redirect URI is sent, exactly the registered one is used.
    package static let aniListPort = 53_682

    private static func aniListExamples(pinPath: String) -> [Self] {
        let loopback = "http://127.0.0.1:\(aniListPort)/callback"
        return [
            Self(id: "1001", name: "Example App", redirectURIs: [loopback]),
            Self(id: "1002", name: "Example App Without Callback", redirectURIs: [pinPath]),
            Self(
                id: "1003", secret: Secret("development-secret-of-the-web-app"), name: "Example Web App",
                redirectURIs: [loopback, pinPath]),
        ]
    }
}
