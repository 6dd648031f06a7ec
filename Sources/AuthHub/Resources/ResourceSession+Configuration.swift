public import CredentialStorage
public import OAuthProtocol

extension ResourceSession {
    /// The settings of a session for an API: its URL, the client, the grant, the store and the network.
    public struct Configuration: Sendable {
        /// The URL of the API, as users know it.
        public var resource: String
        /// The client that signs in.
        public var client: Client
        /// How the session obtains tokens. Without a user, such as with ``AuthorizationGrant/clientCredentials``, the client must be
        /// registered.
        public var grant: AuthorizationGrant
        /// The store for the tokens, the settings and registered clients.
        public var store: any CredentialInventory
        /// The network, the resolver and the clock.
        public var dependencies: Dependencies
        /// The issuer to sign in at, if you know it; nil by default. The resource must name it, too. Required if the store has accounts of
        /// the same issuer for other APIs, and the issuer's metadata does not list the resource: a malicious resource could name that
        /// issuer.
        public var issuer: String?
        /// Whether ``ResourceSession/load(_:)`` may ask the user to sign in, as by default; otherwise, only ``ResourceSession/signIn()``
        /// does.
        public var prompting = SignInPrompting.onDemand
        /// Which URLs are allowed; only https by default. `insecureHTTPOnLoopbackForDevelopment` also allows metadata to name hosts on this
        /// machine.
        public var transport = TransportPolicy.httpsOnly

        /// Creates a configuration. Properties that are not parameters have their defaults.
        public init(
            resource: String, client: Client, grant: AuthorizationGrant, store: any CredentialInventory,
            dependencies: Dependencies
        ) {
            (self.resource, self.client, self.grant, self.store, self.dependencies) = (resource, client, grant, store, dependencies)
        }
    }

    /// The client of a session for an API.
    public struct Client: Sendable {
        /// A client that was registered by hand, and the issuer that it was registered at.
        let registered: (client: OAuthClient, issuer: String)?
        /// The client's name and its document, if it registers itself.
        var name = ""
        var document: (url: String, redirectURI: RedirectURI)?

        /// A client that registers itself (RFC 7591) under the name that users see when they sign in.
        public static func registering(as name: String) -> Self { Self(registered: nil, name: name) }

        /// A client that was registered by hand. It is never used at any other issuer.
        public static func registered(_ client: OAuthClient, at issuer: String) -> Self { Self(registered: (client, issuer)) }

        /// A client with a published client metadata document, for servers that support them; at others, it registers itself. If the
        /// document has keys, pass a registered client with its URL as the ID, and with the keys, instead.
        ///
        /// - Parameters:
        ///   - url: The URL of the document.
        ///   - redirectURI: The redirect URI in the document.
        public static func documented(at url: String, redirectURI: RedirectURI = .loopback, name: String) -> Self {
            Self(registered: nil, name: name, document: (url, redirectURI))
        }
    }
}

extension ResourceSession.Configuration {
    func checkClient() throws(SessionError) {
        if let url = client.document?.url, !ClientIDDocument.problems(ofAddress: url, transport: transport).isEmpty {
            throw SessionError(.misconfigured, "the URL of the client metadata document is not an https URL with a path")
        }
        guard grant.needsPerson || client.registered != nil else {
            throw SessionError(
                .misconfigured, "a program without a user needs a client that is registered at the server; pass it to the session")
        }
    }
}

extension ResourceSession {
    var grant: AuthorizationGrant { configuration.grant }
    var store: any CredentialInventory { configuration.store }
    var dependencies: Dependencies { configuration.dependencies }
    var transport: TransportPolicy { configuration.transport }
}
