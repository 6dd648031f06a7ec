import AuthHubPrimitives
public import HTTPTypes
public import OAuthProtocol

/// Discovers authorization servers, either by their issuer or by a resource that accepts their tokens.
///
/// ```swift
/// let discovery = ServerDiscovery(dependencies: .network)
/// let resource = try await discovery.resource("https://api.example/v1")
/// let metadata = try await discovery.metadata(protecting: resource)
/// let server = ProviderProfile.issuer(try Issuer(metadata.issuer))
/// let dependencies = discovery.dependencies(protecting: resource)  // for the sessions at that server
/// ```
///
/// A server's metadata is fetched once and shared by everything that has the same dependencies, including sessions. The metadata is cached
/// for as long as the `Cache-Control` field of the response says, but for at least five minutes and at most a day. Without that field, it
/// is cached for an hour. If the metadata cannot be fetched again, the old copy is used for up to a week.
public struct ServerDiscovery: Sendable {
    /// Which URLs are allowed.
    package let transport: TransportPolicy
    /// Which hosts receive requests because a resource named them.
    package let reach: HostPolicy
    let backChannel: BackChannel
    private let dependencies: Dependencies

    /// Creates a discovery. Sends no request.
    ///
    /// - Parameters:
    ///   - dependencies: The network, the resolver and the clock.
    ///   - transport: Which URLs are allowed. Use `insecureHTTPOnLoopbackForDevelopment` for servers on this machine.
    ///   - reach: Which hosts may receive requests because a resource's metadata names them. The host of the resource itself is always
    ///     allowed.
    public init(dependencies: Dependencies, transport: TransportPolicy = .httpsOnly, allowedHosts reach: HostPolicy = .publicHosts) {
        self.transport = transport
        self.reach = reach
        self.dependencies = dependencies
        backChannel = BackChannel(dependencies)
    }
}

extension ServerDiscovery {
    /// Returns the metadata of an authorization server.
    ///
    /// - Parameter needed: The endpoints that the caller will use. If the issuer's first metadata document lacks one of them, the other
    ///   metadata documents of the issuer are fetched as well.
    /// - Throws: ``SessionError``: `.misconfigured` if the string is not an issuer, or if there is no metadata; `.securityCheckFailed` if
    ///   the metadata names another issuer; `.serverMisbehaved` if the document is invalid; `.unreachable` if no response arrives.
    public func metadata(
        of issuer: String, needing needed: Set<Endpoints.Name> = []
    ) async throws(SessionError) -> ServerMetadata {
        try await backChannel.metadata(of: issuer.asIssuer(transport), quirks: .init(), needing: needed).metadata
    }

    /// Requests the metadata document of a client from its URL, as servers do: without following redirects.
    ///
    /// - Throws: ``SessionError`` with `.unreachable` if no response arrives.
    package func clientDocument(at url: String) async throws(SessionError) -> (head: HTTPResponse, body: Secret<[UInt8]>) {
        try await backChannel.get(url)
    }

    /// Returns the metadata of a protected resource (RFC 9728 §3).
    ///
    /// - Parameter matching: Whether the URL must be identical to the resource's identifier or can be below it.
    /// - Throws: ``SessionError``: `.misconfigured` if the string is not an https URL, or if there is no metadata; `.securityCheckFailed`
    ///   if the metadata names another resource; otherwise as ``metadata(of:needing:)`` does.
    public func resource(
        _ url: String, matching: ResourceMatching = .identical
    ) async throws(SessionError) -> ProtectedResourceMetadata {
        let resource = try url.asResource(transport)
        return try await read(MetadataSearch(of: resource, matching: matching), of: resource, by: backChannel)
    }

    /// Returns the metadata of a resource that rejected a request (RFC 9728 §5). Fetches the metadata from the URL in the response's
    /// challenge, or from the well-known URL if the challenge has none.
    ///
    /// In both cases, the metadata must name the requested resource.
    ///
    /// - Parameters:
    ///   - response: The response that rejected the request, with its `WWW-Authenticate` fields.
    ///   - url: The URL of the request.
    ///   - matching: Whether the requested URL must be identical to the resource's identifier or can be below it.
    /// - Throws: ``SessionError``, as ``resource(_:matching:)`` does; also `.securityCheckFailed` if the challenge names a URL on a host
    ///   that is not allowed.
    public func resource(
        refusing response: HTTPResponse, to url: String, matching: ResourceMatching = .identical
    ) async throws(SessionError) -> ProtectedResourceMetadata {
        let resource = try url.asResource(transport)
        let challenges = AuthenticationChallenge.challenges(of: response).compactMap(TokenChallenge.init)
        let address = challenges.lazy.compactMap(\.resourceMetadata).first
        if let address {
            try await check(address, namedBy: url, as: "metadata")
        }
        return try await read(MetadataSearch(of: resource, at: address, matching: matching), of: resource, by: strangers(url))
    }

    /// Returns the metadata of the authorization server that issues tokens for a resource.
    ///
    /// - Parameter choose: Selects one of the issuers that the resource names (RFC 9728 §7.6); by default, the first.
    /// - Throws: ``SessionError``: `.misconfigured` if the resource names no issuer or none is selected, `.securityCheckFailed` if the
    ///   issuer's host is not allowed, otherwise as ``metadata(of:needing:)`` does.
    public func metadata(
        protecting resource: ProtectedResourceMetadata, selecting choose: @Sendable ([Issuer]) -> Issuer? = { $0.first }
    ) async throws(SessionError) -> ServerMetadata {
        try await metadata(protecting: resource, needsProofKeys: false, selecting: choose)
    }

    /// Returns the dependencies for sessions at a server that a resource named. Sessions with these dependencies send requests to the
    /// server's endpoints only on allowed hosts, even if the server's metadata names other hosts.
    public func dependencies(protecting resource: ProtectedResourceMetadata) -> Dependencies {
        var guarded = dependencies
        guarded.hostGuard = hosts(namedBy: resource.resource)
        return guarded
    }

    func metadata(
        protecting resource: ProtectedResourceMetadata, needsProofKeys: Bool, selecting choose: @Sendable ([Issuer]) -> Issuer?
    ) async throws(SessionError) -> ServerMetadata {
        let issuer = try await issuer(protecting: resource, selecting: choose).asIssuer(transport)
        return try await strangers(resource.resource).metadata(of: issuer, quirks: .init(), needsProofKeys: needsProofKeys).metadata
    }

    /// Returns the issuer of a resource's tokens.
    ///
    /// - Parameter choose: Selects one if the resource names several (RFC 9728 §7.6); by default the first.
    /// - Throws: ``SessionError``: `.misconfigured` if none is named or selected, `.securityCheckFailed` for one that the allowed hosts
    ///   exclude.
    package func issuer(
        protecting resource: ProtectedResourceMetadata, selecting choose: @Sendable ([Issuer]) -> Issuer? = { $0.first }
    ) async throws(SessionError) -> String {
        let issuer: Issuer
        do throws(OAuthError) {
            issuer = try resource.authorizationServer(selecting: choose)
        } catch {
            throw SessionError(error)
        }
        try await check(issuer.text, namedBy: resource.resource, as: "issuer")
        return issuer.text
    }
}

extension ServerDiscovery {
    private func read(
        _ search: MetadataSearch<ProtectedResourceMetadata>, of resource: ResourceIdentifier, by backChannel: BackChannel
    ) async throws(SessionError) -> ProtectedResourceMetadata {
        var search = search
        return try await backChannel.find(&search) { places in
            SessionError(.misconfigured, "\(shown(resource.text)) publishes no metadata (\(places)); give its issuer instead")
        }.0
    }

    /// RFC 9728 §7.7: a URL named by an untrusted server must not lead to a host that this server could not reach itself, except its own.
    private func hosts(namedBy resource: String) -> HostGuard {
        HostGuard(reach, exempting: Origin(url: resource)?.host, by: dependencies)
    }

    /// The back channel to servers that a resource named.
    func strangers(_ resource: String) -> BackChannel {
        var guarded = dependencies
        guarded.hostGuard = hosts(namedBy: resource)
        return BackChannel(guarded)
    }

    /// Checks a URL before anything is sent; the error says which resource named it.
    func check(_ address: String, namedBy resource: String, as kind: String) async throws(SessionError) {
        guard transport.allows(address) else {
            throw SessionError(.securityCheckFailed, "the resource's \(kind) URL is \(shown(address)), which is not https")
        }
        guard let origin = Origin(url: address), case .outOfReach = await hosts(namedBy: resource).verdict(on: origin) else { return }
        throw SessionError(
            .securityCheckFailed,
            "\(shown(resource)) names \(shown(address)), which is on this machine or in a private network; metadata must not refer to such servers",
            underlying: ResourceAdvice.privateServers)
    }
}

private func shown(_ url: String) -> String { displayable(url, limit: 200) }

extension String {
    func asIssuer(_ transport: TransportPolicy) throws(SessionError) -> Issuer {
        do throws(OAuthError) {
            return try Issuer(self, transport: transport)
        } catch {
            throw SessionError(error)
        }
    }

    func asResource(_ transport: TransportPolicy) throws(SessionError) -> ResourceIdentifier {
        do throws(OAuthError) {
            return try ResourceIdentifier(self, transport: transport)
        } catch {
            throw SessionError(error)
        }
    }
}
