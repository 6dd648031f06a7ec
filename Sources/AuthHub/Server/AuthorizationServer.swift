public import AuthHubPrimitives
import HTTPTypes
public import OAuthProtocol
import Platform

/// An authorization server, for single requests without a session: signing users in from a web server, verifying tokens, introspection,
/// revocation and exchange of tokens, client registration, and other grants.
///
/// The rules for a session's own requests to the server apply: requests are sent only to https URLs, never follow redirects, and are never
/// sent twice. A request takes at most 30 seconds, and its response has at most 1 MiB. The server's metadata is fetched once, when it is
/// first needed.
public struct AuthorizationServer: Sendable {
    private let directory: ServerDirectory
    /// The same server as an OpenID provider, whose metadata documents are read in a different order.
    private let openIDDirectory: ServerDirectory
    let backChannel: BackChannel
    private var now: @Sendable () -> Date { backChannel.now }

    /// Creates a server from a provider's profile. Sends no request.
    public init(_ server: ProviderProfile, dependencies: Dependencies) {
        self.init(server, forOpenID: false, dependencies: dependencies)
    }

    /// Creates a server from a provider's profile. Sends no request.
    ///
    /// - Parameter usesOpenID: Whether the server is used as an OpenID provider, so that its document for OpenID Connect takes precedence.
    package init(_ server: ProviderProfile, forOpenID usesOpenID: Bool, dependencies: Dependencies) {
        backChannel = BackChannel(dependencies)
        openIDDirectory = ServerDirectory(server, clientID: "", tokenOrigins: [], forOpenID: true, backChannel: backChannel)
        directory =
            usesOpenID ? openIDDirectory : ServerDirectory(server, clientID: "", tokenOrigins: [], backChannel: backChannel)
    }

    /// Returns the directory for requests with this scope.
    func directory(for scope: Scope) -> ServerDirectory { scope.contains("openid") ? openIDDirectory : directory }

    /// Returns the provider, completed with its metadata, which is fetched if needed.
    ///
    /// - Parameter endpoints: Endpoints that the caller will use. If the server's first metadata document lacks one of them, its other
    ///   documents are fetched as well.
    /// - Throws: ``SessionError`` if metadata is needed but not available.
    package func provider(needing endpoints: Set<Endpoints.Name> = []) async throws(SessionError) -> ProviderProfile {
        try await directory.resolved(needing: endpoints)
    }
}

// MARK: - Tokens

extension AuthorizationServer {
    /// Introspects a token (RFC 7662).
    ///
    /// - Parameters:
    ///   - hint: The type of the token, if the caller knows it.
    ///   - client: The client that sends the request. Most servers accept only clients with a secret.
    /// - Returns: The server's response. A token that is not active is not an error; see ``OAuthProtocol/IntrospectionResponse/isActive``.
    /// - Throws: ``SessionError``: `.misconfigured` if the server has no introspection endpoint, `.serverRejected` if the server rejects
    ///   the client, `.serverMisbehaved` if the response does not say whether the token is active, `.unreachable` if no response arrives.
    public func introspect(
        _ token: Secret<String>, hint: TokenTypeHint? = nil, as client: OAuthClient
    ) async throws(SessionError) -> IntrospectionResponse {
        try await introspect(token, hint: hint, as: client) { _ in }
    }

    /// Introspects a stored access token.
    func introspect(_ credential: Credential, as client: OAuthClient) async throws(SessionError) -> IntrospectionResponse {
        try await introspect(credential.accessToken, hint: .accessToken, as: client) { profile throws(SessionError) in
            try credential.checkEndpoint(.introspection, of: profile)
        }
    }

    private func introspect(
        _ token: Secret<String>, hint: TokenTypeHint?, as client: OAuthClient, check: (ProviderProfile) throws(SessionError) -> Void
    ) async throws(SessionError) -> IntrospectionResponse {
        try await ask(.introspection) { profile in
            try check(profile)
            let request = try IntrospectionRequest(token, hint: hint, client: client, at: profile)
            return (request.message, { try IntrospectionResponse($0, body: $1, to: request, from: profile, at: $2) })
        }
    }

    /// Revokes a token (RFC 7009).
    ///
    /// - Returns: True if the server revoked the token or does not know it (§2.2); false if the server does not offer revocation.
    /// - Throws: ``SessionError``: `.serverRejected` if the server rejects the client or the type of token, `.unreachable` if no response
    ///   arrives.
    public func revoke(_ token: Secret<String>, hint: TokenTypeHint? = nil, as client: OAuthClient) async throws(SessionError) -> Bool {
        let profile = try await provider(needing: [.revocation])
        do {
            guard let request = try RevocationRequest.revoking(token, hint: hint, client: client, at: profile) else { return false }
            let answer = try await backChannel.send(request.message)
            try request.checkResponse(answer.head, body: answer.body, from: profile, at: now())
            return true
        } catch {
            throw SessionError(cause: error)
        }
    }

    /// Exchanges a token for another one (RFC 8693).
    ///
    /// - Throws: ``SessionError``, for example `.serverRejected` with the server's error in ``SessionError/serverError``.
    public func exchange(_ exchange: TokenExchange, as client: OAuthClient) async throws(SessionError) -> TokenExchangeResponse {
        try await ask(.token) { profile in
            let request = try TokenRequest.tokenExchange(exchange, client: client, at: profile)
            return (request.message, { try TokenExchangeResponse($0, body: $1, to: request, from: profile, at: $2) })
        }
    }

    /// Requests tokens with an extension grant (RFC 6749 §4.5). Does not store them.
    ///
    /// - Throws: ``SessionError``, for example `.serverRejected` with the server's error in ``SessionError/serverError``.
    public func tokens(by grant: ExtensionGrant, as client: OAuthClient) async throws(SessionError) -> TokenResponse {
        try await ask(.token) { profile in
            let request = try TokenRequest.extensionGrant(grant, client: client, at: profile)
            return (request.message, { try TokenResponse($0, body: $1, to: request, from: profile, at: $2) })
        }
    }
}

// MARK: - Clients

extension AuthorizationServer {
    /// Registers a client (RFC 7591).
    ///
    /// The server may register values other than the requested ones. Check the ``OAuthProtocol/ClientRegistration/metadata`` of the result
    /// before you use the client.
    ///
    /// - Parameter initialAccessToken: The initial access token, if the server requires one for registration.
    /// - Throws: ``SessionError``: `.misconfigured` if no server would accept the metadata, or if this server does not offer registration;
    ///   `.serverRejected` with the server's own error, such as `invalid_redirect_uri`; `.serverMisbehaved` if the response is invalid;
    ///   `.unreachable` if no response arrives.
    public func register(
        _ metadata: ClientMetadata, initialAccessToken: Secret<String>? = nil
    ) async throws(SessionError) -> ClientRegistration {
        let registration = try await manage { profile throws(OAuthError) in
            try RegistrationRequest.register(metadata, initialAccessToken: initialAccessToken, at: profile)
        }
        guard let registration else { throw SessionError(.serverMisbehaved, "the response to the registration is empty") }
        return registration
    }

    /// Reads the current registration of a client (RFC 7592 §2.1). Store the result, because it may contain a new token for the next call.
    ///
    /// - Throws: ``SessionError``: `.securityCheckFailed` if the client is registered at another server, `.misconfigured` if the
    ///   registration cannot be managed, otherwise the errors of ``register(_:initialAccessToken:)``.
    public func registration(_ registration: ClientRegistration) async throws(SessionError) -> ClientRegistration {
        try await manage { profile throws(OAuthError) in try RegistrationRequest.read(registration, at: profile) } ?? registration
    }

    /// Replaces all metadata of a client (RFC 7592 §2.2). Store the result, because it may contain a new token for the next call.
    ///
    /// - Throws: ``SessionError``, as ``registration(_:)`` does.
    public func update(
        _ registration: ClientRegistration, to metadata: ClientMetadata
    ) async throws(SessionError) -> ClientRegistration {
        try await manage { profile throws(OAuthError) in
            try RegistrationRequest.update(registration, to: metadata, at: profile)
        } ?? registration
    }

    /// Deletes the registration of a client (RFC 7592 §2.3). The server also revokes the client's tokens.
    ///
    /// - Throws: ``SessionError``, as ``registration(_:)`` does.
    public func delete(_ registration: ClientRegistration) async throws(SessionError) {
        _ = try await manage { profile throws(OAuthError) in try RegistrationRequest.delete(registration, at: profile) }
    }

    private func manage(
        _ make: @Sendable (ProviderProfile) throws(OAuthError) -> RegistrationRequest
    ) async throws(SessionError) -> ClientRegistration? {
        let profile = try await provider(needing: [.registration])
        do {
            let request = try make(profile)
            let answer = try await backChannel.send(request.message)
            let registration = try request.accept(answer.head, body: answer.body, from: profile, at: now())
            backChannel.tell(registration?.irregularities ?? [])
            return registration
        } catch {
            throw SessionError(cause: error)
        }
    }
}

extension AuthorizationServer {
    private typealias Validation<Value> = (HTTPResponse, Secret<[UInt8]>, Date) throws -> Value

    private func ask<Value>(
        _ endpoint: Endpoints.Name, _ make: (ProviderProfile) throws -> (message: BackChannelRequest, validate: Validation<Value>)
    ) async throws(SessionError) -> Value {
        let profile = try await provider(needing: [endpoint])
        do {
            let (message, validate) = try make(profile)
            let answer = try await backChannel.send(message)
            return try validate(answer.head, answer.body, now())
        } catch {
            throw SessionError(cause: error)
        }
    }
}
