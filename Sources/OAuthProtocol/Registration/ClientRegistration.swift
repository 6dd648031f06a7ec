public import AuthHubPrimitives
import JOSE
public import Platform

/// A client that is registered at one server (RFC 7591 §3.2.1). It cannot be used at any other server.
public struct ClientRegistration: Sendable {
    /// A member that the server registered with a value other than the requested one.
    public struct Difference: Sendable, Hashable {
        /// The name of the member of ``ClientMetadata``.
        public let name: String
        /// The requested value; nil if none was sent.
        public let requested: JSONValue?
        /// The registered value; nil if the response lacks it.
        public let registered: JSONValue?
    }

    /// The identity of the server: ``ProviderProfile/identity``.
    package let server: String
    /// The client ID.
    public let clientID: String
    /// The client secret; nil if the client has none.
    public let clientSecret: Secret<String>?
    /// The time the client secret expires; nil if it never expires, the server does not say when, or there is none.
    public let clientSecretExpiresAt: Date?
    /// Whether the server has not said when the client secret expires, which RFC 7591 §3.2.1 requires. It is used as one that never does.
    package let lacksSecretExpiry: Bool
    /// When the client was registered; nil if the server does not say.
    package let issuedAt: Date?
    /// All registered metadata, except for the members that have their own properties in this type.
    public let metadata: ClientMetadata
    /// The differences from the request, which the server may make (RFC 7591 §3.2.1); empty for a registration that was read. Check them if
    /// the client depends on a value, such as signed or encrypted UserInfo responses.
    public let differences: [Difference]
    /// What is wrong with the server's response, although it was accepted; empty for a registration that was read.
    package let irregularities: [String]
    /// Whether the registration can be read, changed and deleted (RFC 7592), because the server has named a URL and a token for it.
    package var isManageable: Bool { clientURI != nil && accessToken != nil }
    /// Why the URL that the server named for the registration is not used; nil if there is no problem.
    package let clientURIProblem: String?

    let clientURI: String?
    let accessToken: Secret<String>?

    /// The secrets that the server issued, to remove them from text that the server sent.
    package var secrets: [Secret<String>] { [clientSecret, accessToken].compactMap(\.self) }
}

extension ClientRegistration {
    /// Returns the client to sign in with at the server that registered it.
    ///
    /// - Parameters:
    ///   - server: The server that registered the client.
    ///   - redirectURI: A registered redirect URI. The port of a loopback URI may differ (RFC 8252 §7.3).
    ///   - keys: The client's private keys, whose public halves are registered; nil if it has none.
    ///   - now: The current time, which is compared with ``clientSecretExpiresAt``.
    /// - Returns: The client. Its sessions require what the server registered, even if the program requested something else.
    /// - Throws: ``OAuthError``: `.securityCheckFailed` if `server` is any other server (RFC 9700 §4.4); `.misuse` if the redirect URI is
    ///   not registered, if a registered algorithm is not supported, or if the key for a registered encryption is missing; `.expired` if
    ///   the client secret has expired.
    public func client(
        at server: ProviderProfile, redirectURI: RedirectURI, keys: ClientKeys? = nil, at now: Date
    ) throws(OAuthError) -> OAuthClient {
        try check(server)
        if let uris = metadata.redirectURIs, !uris.isEmpty {
            guard uris.contains(where: { redirectURI.isRegistered(as: $0) }) else {
                throw OAuthError(.misuse, "the redirect URI \(redirectURI) is not registered for this client")
            }
        }
        if let clientSecretExpiresAt, clientSecretExpiresAt <= now {
            throw OAuthError(
                .expired, "the client secret has expired; register the client again, or read its registration to get the new secret")
        }
        var client = OAuthClient(
            id: clientID, secret: clientSecret, redirectURI: redirectURI,
            authentication: metadata.tokenEndpointAuthenticationMethod
                ?? Self.authentication(nil, hasSecret: clientSecret != nil, at: server))
        client.keys = keys
        client.registered = metadata.openID
        for (algorithm, name) in [(client.registered.idTokenSignature, "ID tokens"), (client.registered.userInfoSignature, "UserInfo")] {
            guard algorithm.map({ $0.properties != nil }) ?? true else {
                throw OAuthError(.misuse, "the registered signature algorithm for \(name) is not supported; register another one")
            }
        }
        try client.checkDecryption(as: client.registered.idTokenEncryption, called: "ID tokens", at: now)
        try client.checkDecryption(as: client.registered.userInfoEncryption, called: "UserInfo responses", at: now)
        return client
    }

    /// Checks that a client without keys can be used at the server that registered it.
    ///
    /// - Throws: ``OAuthError``, as ``client(at:redirectURI:keys:at:)`` does; also if the client cannot authenticate.
    package func checkUse(at server: ProviderProfile, at now: Date) throws(OAuthError) {
        let redirectURI = metadata.redirectURIs?.lazy.compactMap { RedirectURI($0) }.first ?? .loopback
        let client = try client(at: server, redirectURI: redirectURI, at: now)
        // What the server says about this client takes precedence over its list.
        var server = server
        server.clientAuthentication = server.clientAuthentication ?? client.authentication
        _ = try ClientAuthentication(client, at: server)
    }

    /// - Throws: ``OAuthError`` with `.securityCheckFailed` for any server other than the one that registered the client.
    func check(_ other: ProviderProfile) throws(OAuthError) {
        // As in discovery, a slash at the end of an issuer without a path does not matter.
        let isSame = (try? Issuer(server, transport: other.transport))?.isNamed(other.identity) ?? server.hasSameBytes(as: other.identity)
        guard isSame else {
            throw OAuthError(
                .securityCheckFailed,
                "the client is registered at \(displayable(server, limit: 200)), not at \(displayable(other.identity, limit: 200))")
        }
    }
}

extension RedirectURI {
    /// Whether this redirect URI is the registered one, a loopback URI with any port.
    fileprivate func isRegistered(as text: String) -> Bool {
        if description.hasSameBytes(as: text) { return true }
        guard case .loopback(_, let path) = kind, let other = RedirectURI(text), case .loopback(_, let registered) = other.kind else {
            return false
        }
        return path.hasSameBytes(as: registered)
    }
}

extension ClientRegistration: CustomStringConvertible {
    public var description: String { "the client \(displayable(clientID, limit: 200)) at \(displayable(server, limit: 200))" }
}
