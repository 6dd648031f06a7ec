import AuthHubPrimitives
public import HTTPTypes
public import OAuthProtocol

/// Finds servers by what names them: an issuer, or a resource that they issue tokens for.
///
/// ```swift
/// let discovery = ServerDiscovery(dependencies: .network)
/// let resource = try await discovery.resource("https://api.example/v1")
/// let metadata = try await discovery.metadata(protecting: resource)
/// let server = ProviderProfile.issuer(try Issuer(metadata.issuer)).applying(metadata)
/// let dependencies = discovery.dependencies(protecting: resource)  // for the sessions at that server
/// ```
///
/// Metadata of servers is read once for all that have the same dependencies, sessions included, and kept as long as its `Cache-Control`
/// says: five minutes at least, a day at most, an hour where it says nothing. Where it cannot be read anew, the old copy serves for a week.
public struct ServerDiscovery: Sendable {
    /// What addresses have to be.
    public let transport: TransportPolicy
    /// Which hosts are asked because a resource named them.
    public let reach: HostPolicy
    let backChannel: BackChannel
    private let dependencies: Dependencies

    /// - Parameters:
    ///   - dependencies: Network, names and clock.
    ///   - transport: For servers on this machine, `insecureHTTPOnLoopbackForDevelopment`.
    ///   - reach: Which hosts are asked because a resource named them. The host of the resource itself is always among them.
    public init(dependencies: Dependencies, transport: TransportPolicy = .httpsOnly, allowedHosts reach: HostPolicy = .publicHosts) {
        self.transport = transport
        self.reach = reach
        self.dependencies = dependencies
        backChannel = BackChannel(dependencies)
    }
}

extension ServerDiscovery {
    /// What an authorization server says about itself.
    ///
    /// - Parameter needed: Endpoints to look for in the issuer's other documents, too, if the first has none of that name.
    /// - Throws: ``SessionError``: `.misconfigured` for what is no issuer, and where nothing is published, `.securityCheckFailed` for the
    ///   metadata of another issuer, `.serverMisbehaved` for a document that is none, `.unreachable` where no answer came.
    public func metadata(
        of issuer: String, quirks: ProviderQuirks = ProviderQuirks(), needing needed: Set<Endpoints.Name> = []
    ) async throws(SessionError) -> ServerMetadata {
        try await backChannel.metadata(of: issuer.asIssuer(transport), quirks: quirks.discovery, needing: needed).metadata
    }

    /// What a protected resource says about itself (RFC 9728 §3).
    ///
    /// - Parameter matching: Whether a part of the resource may be asked for.
    /// - Throws: ``SessionError``: `.misconfigured` for what is no https URL, and where nothing is published, `.securityCheckFailed` for
    ///   another resource, else as for an authorization server.
    public func resource(
        _ url: String, matching: ResourceMatching = .identical
    ) async throws(SessionError) -> ProtectedResourceMetadata {
        let resource = try url.asResource(transport)
        return try await read(MetadataSearch(of: resource, matching: matching), of: resource, by: backChannel)
    }

    /// What a resource says about itself that has refused a request (RFC 9728 §5): where its challenge says, else where it always lies.
    ///
    /// Wherever the document was found, it has to name the resource that was asked.
    ///
    /// - Parameters:
    ///   - response: The refusal, with its `WWW-Authenticate` fields.
    ///   - url: What the request asked for.
    /// - Throws: ``SessionError`` as ``resource(_:matching:)`` does; `.securityCheckFailed` also for an address that ``reach`` does not
    ///   allow.
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

    /// What the authorization server of a resource says about itself.
    ///
    /// - Parameter choose: Picks one where the resource names several (RFC 9728 §7.6); by default the first.
    /// - Throws: ``SessionError``: `.misconfigured` where none is named or picked, `.securityCheckFailed` for one that ``reach`` does not
    ///   allow, else as ``metadata(of:quirks:needing:)`` does.
    public func metadata(
        protecting resource: ProtectedResourceMetadata, selecting choose: @Sendable ([Issuer]) -> Issuer? = { $0.first }
    ) async throws(SessionError) -> ServerMetadata {
        let issuer = try await issuer(protecting: resource, selecting: choose).asIssuer(transport)
        return try await strangers(resource.resource).metadata(of: issuer, quirks: .init()).metadata
    }

    /// Dependencies for sessions at a server that a resource named: requests to the server's endpoints go only to hosts that ``reach``
    /// allows, whatever the metadata says.
    public func dependencies(protecting resource: ProtectedResourceMetadata) -> Dependencies {
        var guarded = dependencies
        guarded.hostGuard = hosts(namedBy: resource.resource)
        return guarded
    }

    /// The issuer of a resource's tokens.
    ///
    /// - Throws: ``SessionError``: `.misconfigured` where none is named or picked, `.securityCheckFailed` for one that ``reach`` does not
    ///   allow.
    public func issuer(
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

    /// RFC 9728 §7.7: a stranger's word leads nowhere that the stranger could not reach; back to the stranger's own host it may.
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
