import AuthHubPrimitives
import HTTPTypes
import OAuthProtocol
import Synchronization

/// The server's endpoints, from its profile or from its metadata, which is fetched again when it is no longer fresh.
///
/// An operation uses the profile it began with until it ends (RFC 9700 §4.4).
final class ServerDirectory: Sendable {
    private struct Knowledge {
        let profile: ProviderProfile
        /// The number of the metadata reading that the profile comes from.
        let number: UInt64?
        /// Needed for every request, so computed once. There are few, so comparing them is faster than hashing.
        let tokenOrigins: [Origin]
        /// The only part of its origin that may receive the token; nil for whole origins.
        let resource: (origin: Origin, place: ResourcePlace)?

        init(_ profile: ProviderProfile, number: UInt64? = nil, tokenOrigins: Set<Origin>) {
            self.profile = profile
            self.number = number
            if let protected = profile.protectedResource, let origin = protected.origin, !tokenOrigins.contains(origin) {
                resource = ResourcePlace(protected).map { (origin, $0) }
            } else {
                resource = nil
            }
            // RFC 6750 §5.3: never send the token over a connection that others can read.
            self.tokenOrigins = profile.tokenOrigins.union(tokenOrigins).filter { $0.scheme == "https" || $0.isLoopback }
        }
    }

    /// The profile as the program created it.
    private let profile: ProviderProfile
    private let knowledge: Mutex<Knowledge>
    /// All endpoints that were ever needed, so that reading the metadata again loses none of them.
    private let needed = Mutex<Set<Endpoints.Name>>([])
    /// Origins that the program named itself.
    private let namedOrigins: Set<Origin>
    /// Origins that may receive the token, whichever server issued it.
    let tokenOrigins: Set<Origin>
    /// Header fields that every request to the API needs in addition to the token. Most providers need none.
    let apiHeaders: [HTTPField]
    private let rules: SecurityRules?
    private let usesOpenID: Bool
    private let backChannel: BackChannel

    /// - Parameters:
    ///   - tokenOrigins: Origins that may receive the access token, in addition to those of the profile.
    ///   - rules: The rules of the session's security profile; nil if it has none.
    ///   - usesOpenID: Whether the server is used as an OpenID provider, so that its document for OpenID Connect takes precedence.
    init(
        _ profile: ProviderProfile, clientID: String, tokenOrigins: Set<Origin>, rules: SecurityRules? = nil,
        forOpenID usesOpenID: Bool = false,
        backChannel: BackChannel
    ) {
        self.profile = profile
        self.usesOpenID = usesOpenID
        self.rules = rules
        knowledge = Mutex(Knowledge(profile, tokenOrigins: tokenOrigins))
        namedOrigins = tokenOrigins
        // The sign-in has compared the resource's server with its metadata.
        self.tokenOrigins = tokenOrigins.union(profile.protectedResource?.origin.map { [$0] } ?? [])
        self.backChannel = backChannel
        apiHeaders = profile.quirks.api.headers.sorted { $0.key < $1.key }.compactMap { header in
            HTTPField.Name(header.key).map { HTTPField(name: $0, value: header.value.replacing("{client_id}", with: clientID)) }
        }
    }

    /// The reason why nothing may be sent: the configuration does not follow its security profile; nil if it does.
    var problem: SessionError? { rules?.problem }

    /// Whether requests to this origin and path may carry the access token, as far as is known now.
    func sendsToken(to origin: Origin, path: String = "/") -> Bool {
        let (isKnown, resource) = knowledge.withLock { ($0.tokenOrigins.contains(origin), $0.resource) }
        guard isKnown, let resource, origin == resource.origin else { return isKnown }
        return resource.place.contains(origin, path: path)
    }

    /// Returns the profile with its endpoints.
    ///
    /// - Parameter names: Endpoints that the caller will use, if the server has them.
    /// - Throws: ``SessionError`` if metadata is needed and is not available or not valid.
    func resolved(needing names: Set<Endpoints.Name> = []) async throws(SessionError) -> ProviderProfile {
        if let problem { throw problem }
        guard profile.endpoints == nil else { return profile }
        guard let text = profile.issuer else {
            throw SessionError(.misconfigured, "\(profile.displayName) has neither endpoints nor an issuer")
        }
        let issuer: Issuer
        do throws(OAuthError) {
            issuer = try Issuer(text, transport: profile.transport)
        } catch {
            throw SessionError(error)
        }
        let copy = try await metadata(of: issuer, needing: profile.endpointsToLookFor(names), showsPage: names.contains(.authorization))
        if names.contains(.authorization) { try rules?.check(copy.metadata) }
        return knowledge.withLock { knowledge in
            if knowledge.number != copy.number {
                knowledge = Knowledge(profile.applying(copy.metadata), number: copy.number, tokenOrigins: namedOrigins)
            }
            return knowledge.profile
        }
    }

    private func metadata(
        of issuer: Issuer, needing names: Set<Endpoints.Name>, showsPage: Bool
    ) async throws(SessionError) -> MetadataEntries.Copy {
        let all = needed.withLock { needed in
            needed.formUnion(names)
            return needed
        }
        func read(_ names: Set<Endpoints.Name>) async throws(SessionError) -> MetadataEntries.Copy {
            try await backChannel.metadata(
                of: issuer, quirks: profile.quirks.discovery, needing: names, forOpenID: usesOpenID,
                needsProofKeys: showsPage && rules != nil)
        }
        do throws(SessionError) {
            return try await read(all)
        } catch {
            // A refresh must not fail because of an endpoint that another operation needed.
            guard all != names, error.code != .cancelledByProgram else { throw error }
            return try await read(names)
        }
    }
}

extension ProviderProfile {
    /// Returns the endpoints that have to be looked up in the metadata.
    fileprivate func endpointsToLookFor(_ wanted: Set<Endpoints.Name>) -> Set<Endpoints.Name> {
        var names = wanted
        if names.contains(.authorization), pushedAuthorization == .always { names.insert(.pushedAuthorization) }
        if endpointOverrides.authorization != nil { names.remove(.authorization) }
        if endpointOverrides.token != nil { names.remove(.token) }
        if endpointOverrides.deviceAuthorization != nil { names.remove(.deviceAuthorization) }
        if accountEndpoint != nil { names.remove(.userInfo) }
        if revocation != .standard { names.remove(.revocation) }
        return names
    }
}
