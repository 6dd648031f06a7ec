public import AuthHubPrimitives

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A client as one server has registered it (RFC 7591 §3.2.1). At any other it means nothing, and is refused.
public struct ClientRegistration: Sendable {
    /// Something that the server has noted otherwise than it was told.
    public struct Alteration: Sendable, Hashable {
        /// The member of ``ClientMetadata``.
        public let name: String
        /// nil where it was not sent.
        public let requested: JSONValue?
        /// nil where the answer lacks it.
        public let registered: JSONValue?
    }

    /// What names the server: ``ProviderProfile/identity``.
    public let server: String
    /// What the server calls the client.
    public let clientID: String
    /// nil for a client that has none.
    public let clientSecret: Secret<String>?
    /// nil where the secret never ends, or there is none.
    public let clientSecretExpiresAt: Date?
    /// When; nil where the server does not say.
    public let issuedAt: Date?
    /// What the server has noted, members unknown here included; without what is told of it above.
    public let metadata: ClientMetadata
    /// What differs from the request; empty for a registration that was read.
    public let alterations: [Alteration]
    /// Whether the registration can be read, changed and deleted (RFC 7592): the server has named an address of its own and a token for it.
    public var isManageable: Bool { clientURI != nil && accessToken != nil }
    /// Why the address that the server named for it is not used; nil where there is nothing to say.
    public let clientURIProblem: String?

    let clientURI: String?
    let accessToken: Secret<String>?

    /// What the server issued to the client, for removing it from text that the server sent.
    package var secrets: [Secret<String>] { [clientSecret, accessToken].compactMap(\.self) }
}

extension ClientRegistration {
    /// The client, for sign-ins at the server that has registered it.
    ///
    /// - Parameter redirectURI: One of those that are registered, with any port where it is loopback (RFC 8252 §7.3).
    /// - Throws: ``OAuthError``: `.securityCheckFailed` for another server (RFC 9700 §4.4); `.misuse` for a redirect URI that is not
    ///   registered; `.expired` for a secret that has ended.
    public func client(
        at server: ProviderProfile, redirectURI: RedirectURI, at now: Date
    ) throws(OAuthError) -> OAuthClient {
        try check(server)
        if let uris = metadata.redirectURIs, !uris.isEmpty {
            guard uris.contains(where: { redirectURI.isRegistered(as: $0) }) else {
                throw OAuthError(.misuse, "the redirect URI \(redirectURI) is not registered for this client")
            }
        }
        if let clientSecretExpiresAt, clientSecretExpiresAt <= now {
            throw OAuthError(.expired, "the client secret has expired; register the client again or read its registration")
        }
        return OAuthClient(
            id: clientID, secret: clientSecret, redirectURI: redirectURI,
            authentication: metadata.tokenEndpointAuthenticationMethod ?? (clientSecret == nil ? ClientAuthenticationMethod.none : .basic))
    }

    /// - Throws: ``OAuthError`` with `.securityCheckFailed` for another server than the one that has registered the client.
    func check(_ other: ProviderProfile) throws(OAuthError) {
        // The one leniency is that of discovery: a slash at the end of an issuer without a path.
        let isSame = (try? Issuer(server, transport: other.transport))?.isNamed(other.identity) ?? server.hasSameBytes(as: other.identity)
        guard isSame else {
            throw OAuthError(
                .securityCheckFailed,
                "the client is registered at \(displayable(server, limit: 200)), not at \(displayable(other.identity, limit: 200))")
        }
    }
}

extension RedirectURI {
    /// Whether this is a registered one, a loopback address at any port.
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
