public import AuthHubPrimitives

/// An OAuth client (RFC 6749 §1.1): the program that requests access, as it is registered at the authorization server.
public struct OAuthClient: Sendable, Equatable {
    /// The client ID.
    public var id: String
    /// The client secret; nil unless the provider requires one. A program that users install cannot keep a secret confidential (RFC 8252
    /// §8.5). If the client has a ``RenewableClientSecret``, this is its current value.
    public var secret: Secret<String>? {
        get {
            switch source {
            case .none: nil
            case .fixed(let secret): secret
            case .renewable(let secret): secret.value
            }
        }
        set { source = newValue.map { .fixed($0) } ?? .none }
    }
    /// The registered redirect URI; by default, a loopback URI with any free port.
    public var redirectURI: RedirectURI
    /// The redirect URIs to use if the port of ``redirectURI`` is in use, in this order.
    package var otherRedirectURIs: [RedirectURI] = []
    /// The client authentication method at the token endpoint; if nil, the provider's profile or metadata determines it.
    public var authentication: ClientAuthenticationMethod?
    /// The client's private keys; nil if it has none. Encrypted messages need a key, unless they are encrypted with the client secret.
    public var keys: ClientKeys?
    /// The registered protection of ID tokens and UserInfo responses; by default, nothing is registered.
    public var registered = OpenIDRegistration()

    private enum SecretSource: Sendable, Equatable {
        case none
        case fixed(Secret<String>)
        case renewable(RenewableClientSecret)
    }

    private var source: SecretSource

    /// Creates a client. Without a secret, it is a public client (RFC 6749 §2.1).
    public init(
        id: String,
        secret: Secret<String>? = nil,
        redirectURI: RedirectURI = .loopback,
        authentication: ClientAuthenticationMethod? = nil
    ) {
        self.id = id
        source = secret.map { .fixed($0) } ?? .none
        self.redirectURI = redirectURI
        self.authentication = authentication
    }

    /// Creates a client whose secret the program replaces from time to time.
    public init(
        id: String,
        renewableSecret: RenewableClientSecret,
        redirectURI: RedirectURI = .loopback,
        authentication: ClientAuthenticationMethod? = nil
    ) {
        self.id = id
        source = .renewable(renewableSecret)
        self.redirectURI = redirectURI
        self.authentication = authentication
    }
}

extension OAuthClient {
    /// Whether a string can be a client ID: printable ASCII and spaces, and not empty (RFC 6749 App. A.1).
    package static func isValidID(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}
