import AuthHubPrimitives
public import HTTPTypes
public import OAuthProtocol

/// Discovers authorization servers, from an issuer or from a resource that they issue tokens for.
///
/// ```swift
/// let discovery = ServerDiscovery(dependencies: .network)
/// let resource = try await discovery.resource("https://api.example/v1")
/// let metadata = try await discovery.metadata(protecting: resource)
/// let server = ProviderProfile.issuer(try Issuer(metadata.issuer)).applying(metadata)
/// let dependencies = discovery.dependencies(protecting: resource)  // for the sessions at that server
/// ```
///
/// The metadata of a server is read once for everything that has the same dependencies, including sessions, and cached for as long as its
/// `Cache-Control` says: at least five minutes, at most a day, an hour if it says nothing. If it cannot be read again, the old copy is used
/// for a week.
public struct ServerDiscovery: Sendable {
    /// Which URLs are allowed.
    package let transport: TransportPolicy
    /// Which hosts receive requests because a resource named them.
    package let reach: HostPolicy
    let backChannel: BackChannel
    private let dependencies: Dependencies

    /// Creates a discovery. Sends nothing.
    ///
    /// - Parameters:
    ///   - dependencies: The network, the resolver and the clock.
    ///   - transport: Which URLs are allowed; `insecureHTTPOnLoopbackForDevelopment` for servers on this machine.
    ///   - reach: Which hosts receive requests because a resource named them. The host of the resource itself is always allowed.
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
    /// - Parameter needed: Endpoints that the caller will use: if the issuer's first document lacks one of them, its other documents are
    ///   read, too.
    /// - Throws: ``SessionError``: `.misconfigured` for a string that is not an issuer, and if there is no metadata; `.securityCheckFailed`
    ///   for the metadata of another issuer; `.serverMisbehaved` for an invalid document; `.unreachable` if no response arrived.
    public func metadata(
        of issuer: String, needing needed: Set<Endpoints.Name> = []
    ) async throws(SessionError) -> ServerMetadata {
        try await backChannel.metadata(of: issuer.asIssuer(transport), quirks: .init(), needing: needed).metadata
    }

    /// Returns the metadata of a protected resource (RFC 9728 §3).
    ///
    /// - Parameter matching: Whether the URL must equal the resource's identifier or may be below it.
    /// - Throws: ``SessionError``: `.misconfigured` for a string that is not an https URL, and if there is no metadata;
    ///   `.securityCheckFailed` for the metadata of another resource; otherwise as for an authorization server.
    public func resource(
        _ url: String, matching: ResourceMatching = .identical
    ) async throws(SessionError) -> ProtectedResourceMetadata {
        let resource = try url.asResource(transport)
        return try await read(MetadataSearch(of: resource, matching: matching), of: resource, by: backChannel)
    }

    /// Returns the metadata of a resource that has rejected a request (RFC 9728 §5): from the URL in its challenge, or from the well-known
    /// URL.
    ///
    /// In both cases, the document has to name the requested resource.
    ///
    /// - Parameters:
    ///   - response: The response, with its `WWW-Authenticate` fields.
    ///   - url: The URL of the request.
    ///   - matching: Whether the URL may be a part of the resource.
    /// - Throws: ``SessionError``, as ``resource(_:matching:)`` does, and `.securityCheckFailed` for a URL that the allowed hosts exclude.
    public func resource(
        refusing response: HTTPResponse, to url: String, matching: ResourceMatching = .identical
    ) async throws(SessionError) -> ProtectedResourceMetadata {
        let resource = try url.asResource(transport)
        let challenges = AuthenticationChallenge.challenges(of: response).compactMap(TokenChallenge.init)
        let address = challenges.lazy.compactMap(\.resourceMetadata).first
        if let address {
            guard transport.allows(address) else {
                throw SessionError(.securityCheckFailed, "the resource's metadata URL is \(shown(address)), which is not https")
            }
            try await check(address, namedBy: url)
        }
        return try await read(MetadataSearch(of: resource, at: address, matching: matching), of: resource, by: strangers(url))
    }

    /// Returns the metadata of a resource's authorization server.
    ///
    /// - Parameter choose: Selects one if the resource names several (RFC 9728 §7.6); by default the first.
    /// - Throws: ``SessionError``: `.misconfigured` if none is named or selected, `.securityCheckFailed` for one that the allowed hosts
    ///   exclude, otherwise as ``metadata(of:needing:)`` does.
    public func metadata(
        protecting resource: ProtectedResourceMetadata, selecting choose: @Sendable ([Issuer]) -> Issuer? = { $0.first }
    ) async throws(SessionError) -> ServerMetadata {
        let issuer = try await issuer(protecting: resource, selecting: choose).asIssuer(transport)
        return try await strangers(resource.resource).metadata(of: issuer, quirks: .init()).metadata
    }

    /// Returns the dependencies for sessions at a server that a resource named: requests to the server's endpoints are sent only to
    /// allowed hosts, whatever the metadata says.
    public func dependencies(protecting resource: ProtectedResourceMetadata) -> Dependencies {
        var guarded = dependencies
        guarded.hostGuard = hosts(namedBy: resource.resource)
        return guarded
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
        try await check(issuer.text, namedBy: resource.resource)
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

    /// RFC 9728 §7.7: a URL from an untrusted server leads to no host that this server could not reach itself, except for its own.
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
    private func check(_ address: String, namedBy resource: String) async throws(SessionError) {
        guard let origin = Origin(url: address), case .outOfReach = await hosts(namedBy: resource).verdict(on: origin) else { return }
        throw SessionError(
            .securityCheckFailed,
            "\(shown(resource)) names \(shown(address)), which is on this machine or in a private network; metadata must not refer to such servers"
        )
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

    fileprivate func asResource(_ transport: TransportPolicy) throws(SessionError) -> ResourceIdentifier {
        do throws(OAuthError) {
            return try ResourceIdentifier(self, transport: transport)
        } catch {
            throw SessionError(error)
        }
    }
}
