import AuthHubPrimitives
import HTTPTypes
import OAuthProtocol

extension ServerDiscovery {
    /// Finds the authorization server of a protected resource, and the scope to request (RFC 9728 §5, MCP).
    ///
    /// The URL gets one GET request without a token; only a challenge in its response counts, because some resources respond only to
    /// POST. Without a challenge, a URL that is itself an issuer is not a resource, unless it publishes metadata as one below its own path:
    /// some servers return the metadata of one API at every such URL.
    ///
    /// - Parameters:
    ///   - url: The URL of the resource.
    ///   - challenge: The text of a `WWW-Authenticate` field with which the resource rejected a request; nil to request the URL.
    ///   - issuer: The server to use if the resource names several. Naming it also confirms that its endpoints on other hosts belong to it.
    ///   - earlier: An earlier sign-in. Its issuer is used if `issuer` is nil and the resource still names it; otherwise, the first one is.
    ///   - usesCodes: Whether the sign-in uses authorization codes, for which the server must support PKCE.
    ///   - requiresProofKeys: Whether the server must say that it supports PKCE.
    ///   - assumesOrigin: Whether the origin of a resource without metadata is its server, as in the revision 2025-03-26 of MCP.
    /// - Returns: nil if the URL is an issuer.
    /// - Throws: ``SessionError``: `.securityCheckFailed` if the metadata describes another resource or another issuer, names hosts that are
    ///   not allowed, or the server does not support PKCE; `.misconfigured` if a resource publishes no usable metadata, or if nothing at all
    ///   was found; otherwise as ``metadata(of:needing:)`` does.
    package func protection(
        of url: String, challenge: String? = nil, issuer: String? = nil, earlier: EarlierSignIn? = nil,
        usesCodes: Bool = true, requiresProofKeys: Bool = true, assumesOrigin: Bool = false
    ) async throws(SessionError) -> ResourceProtection? {
        let (challenges, acceptsGET) = try await challenges(of: url, challenge)
        let isCertain = challenge != nil || issuer != nil
        let described: ProtectedResourceMetadata?
        do throws(SessionError) {
            described = try await describedResource(url, challenges, isCertain: isCertain || assumesOrigin)
        } catch  where assumesOrigin && error.underlying is NoResourceMetadata {
            var protection = try await undescribed(url, challenges)
            protection.acceptsGET = acceptsGET
            let assumed = protection.server.issuer
            if let issuer, !issuer.hasSameBytes(as: assumed) {
                throw SessionError(
                    .misconfigured, "\(shown(url)) has no metadata, so its server can only be \(shown(assumed)), not \(shown(issuer))",
                    underlying: ResourceAdvice.issuers([assumed]))
            }
            let earlier = earlier?.at(assumed)
            protection.isConfirmed = issuer != nil || earlier?.isConfirmed ?? false
            try check(
                protection.server, usesCodes: usesCodes, isConfirmed: protection.isConfirmed,
                acceptsUnlisted: !requiresProofKeys || earlier?.skipsProofKeyCheck ?? false)
            if usesCodes { try await checkPage(of: protection.server, namedBy: url) }
            return protection
        }
        guard let resource = described else { return nil }
        guard ResourceIndicator(resource.resource) != nil else {
            throw SessionError(
                .serverMisbehaved,
                "the resource's identifier is not a URL without a fragment, so requests cannot contain it; report this to the API's operator"
            )
        }
        guard !resource.requiresBoundTokens, challenges.isEmpty || challenges.contains(where: { $0.scheme == .bearer }) else {
            throw SessionError(.misconfigured, "\(shown(url)) requires tokens that are bound to a key (DPoP), which is not supported yet")
        }
        if let issuer, !resource.authorizationServers.contains(where: { $0.text.hasSameBytes(as: issuer) }) {
            let names = resource.authorizationServers.map(\.text).joined(separator: ", ")
            throw SessionError(
                .misconfigured, "\(shown(url)) does not name \(shown(issuer)) as its server; it names \(names.isEmpty ? "none" : names)",
                underlying: ResourceAdvice.issuers(resource.authorizationServers.map(\.text)))
        }
        let wanted = issuer ?? earlier?.issuer
        let server = try await metadata(protecting: resource, needsProofKeys: usesCodes) { servers in
            wanted.flatMap { wanted in servers.first { $0.text.hasSameBytes(as: wanted) } } ?? servers.first
        }
        let earlier = earlier?.at(server.issuer)
        let isConfirmed = issuer != nil || earlier?.isConfirmed ?? false
        if !isConfirmed, let known = server.protectedResources, !known.contains(where: { $0.hasSameBytes(as: resource.resource) }) {
            throw SessionError(
                .securityCheckFailed,
                "\(shown(resource.resource)) names \(shown(server.issuer)) as its server, which does not know it (protected_resources), so it could "
                    + "be after the tokens for other resources; confirm the issuer if they belong together (RFC 9728 §4)",
                underlying: ResourceAdvice.issuers([server.issuer]))
        }
        try check(
            server, usesCodes: usesCodes, isConfirmed: isConfirmed,
            acceptsUnlisted: !requiresProofKeys || earlier?.skipsProofKeyCheck ?? false)
        if usesCodes { try await checkPage(of: server, namedBy: resource.resource) }
        let scope = challenges.reduce(Scope()) { $0.union($1.scope) }
        return ResourceProtection(
            resource: resource, server: server, challenged: scope, isConfirmed: isConfirmed, acceptsGET: acceptsGET)
    }

    private func checkPage(of server: ServerMetadata, namedBy resource: String) async throws(SessionError) {
        if let page = server.endpoints.authorization { try await check(page, namedBy: resource, as: "authorization") }
    }

    private func challenges(
        of url: String, _ text: String?
    ) async throws(SessionError) -> (challenges: [TokenChallenge], acceptsGET: Bool) {
        var head = HTTPResponse(status: .unauthorized)
        if let text {
            guard HTTPField.isValidValue(text) else {
                throw SessionError(.misconfigured, "the challenge is not the value of a WWW-Authenticate field")
            }
            head.headerFields[.wwwAuthenticate] = text
        } else {
            _ = try url.asResource(transport)
            head = try await backChannel.head(of: url, accepting: "application/json, text/event-stream")
        }
        guard head.status == .unauthorized else { return ([], ![400, 404, 405, 406].contains(head.status.code)) }
        let challenges = AuthenticationChallenge.challenges(of: head).compactMap(TokenChallenge.init)
        guard text == nil || !challenges.isEmpty else {
            throw SessionError(.misconfigured, "the challenge has neither the scheme Bearer nor DPoP")
        }
        return (challenges, true)
    }

    /// Returns the metadata of a resource; nil if nothing shows that the URL is one.
    ///
    /// - Parameter isCertain: Whether the caller knows that the URL is a resource.
    /// - Throws: ``SessionError`` if a resource has no metadata, or metadata that cannot be used.
    private func describedResource(
        _ url: String, _ challenges: [TokenChallenge], isCertain: Bool
    ) async throws(SessionError) -> ProtectedResourceMetadata? {
        let resource = try url.asResource(transport)
        if let place = challenges.lazy.compactMap(\.resourceMetadata).first {
            try await check(place, namedBy: url, as: "metadata")
            return try await description(of: resource, at: place)
        }
        let places = resource.metadataURLs
        var answers: [String] = []
        var issuer = IssuerCheck.unknown
        for (index, place) in places.enumerated() {
            if index == places.count - 1, !isCertain, challenges.isEmpty {
                issuer = try await checkIssuer(url)
                if case .isIssuer = issuer { return nil }
            }
            do throws(SessionError) {
                return try await description(of: resource, at: place)
            } catch {
                if let none = error.underlying as? NoResourceMetadata {
                    answers.append(none.places)
                    continue
                }
                guard !isCertain, challenges.isEmpty, error.code != .cancelledByProgram else { throw error }
                if case .unknown = issuer { issuer = try await checkIssuer(url) }
                guard case .isIssuer = issuer else { throw error }
                return nil
            }
        }
        guard case .isNone(let documents) = issuer else { throw nothing(url, answers.joined(separator: ", ")) }
        answers.append(documents)
        throw SessionError(
            .misconfigured, "nothing was found at \(shown(url)): neither an issuer nor an API (\(answers.joined(separator: ", ")))",
            underlying: NothingFound())
    }

    private func nothing(_ url: String, _ places: String) -> SessionError {
        SessionError(
            .misconfigured, "\(shown(url)) requires a token, but does not name its authorization server (\(places))",
            underlying: NoResourceMetadata(places: places))
    }

    /// Returns the document at one URL.
    ///
    /// The document must name the resource itself, or its origin if it is at the well-known URL of the origin (RFC 9728 §3.3).
    ///
    /// - Throws: ``SessionError``; the underlying error is ``NoResourceMetadata`` if there is no document.
    private func description(of resource: ResourceIdentifier, at place: String) async throws(SessionError) -> ProtectedResourceMetadata {
        var search = MetadataSearch(of: resource, at: place, matching: .identicalOrAboveTheRequestedURLOnItsOrigin)
        let isOfOrigin = resource.metadataURLs.last?.hasSameBytes(as: place) ?? false
        let found = try await strangers(resource.text).find(&search) { nothing(resource.text, $0) }.0
        // The query of a request is not part of the resource, unless the metadata says so.
        let isExact = [resource.text, String(resource.text.prefix { $0 != "?" })].contains { $0.hasSameBytes(as: found.resource) }
        guard isExact || isOfOrigin && RequestTarget(found.resource)?.path == "/" else {
            throw SessionError(
                .securityCheckFailed,
                "requested metadata of \(shown(resource.text)), received metadata of \(shown(found.resource)) at \(shown(place)); if that is the API that you mean, use its URL",
                underlying: ResourceAdvice.resource(found.resource))
        }
        return found
    }

    private enum IssuerCheck {
        case unknown
        case isIssuer
        /// The URLs without a document, and what each returned.
        case isNone(String)
    }

    /// Finds out whether the URL has an issuer's metadata, even if it cannot be used: the sign-in says why.
    ///
    /// - Throws: ``SessionError`` with `.securityCheckFailed` if the metadata names another issuer.
    private func checkIssuer(_ url: String) async throws(SessionError) -> IssuerCheck {
        do throws(SessionError) {
            _ = try await backChannel.metadata(of: url.asIssuer(transport), quirks: .init())
            return .isIssuer
        } catch {
            if (error.underlying as? OAuthError)?.underlying is OtherIssuer { throw error }
            guard error.code == .misconfigured else { return .isIssuer }
            return .isNone((error.underlying as? NoDocuments)?.places ?? error.explanation)
        }
    }

    /// Checks what a sign-in requires of a server that a resource has named.
    ///
    /// - Parameters:
    ///   - isConfirmed: Whether the user has named the server, too.
    ///   - acceptsUnlisted: Whether to accept metadata that does not list the methods of PKCE.
    private func check(
        _ server: ServerMetadata, usesCodes: Bool, isConfirmed: Bool, acceptsUnlisted: Bool
    ) throws(SessionError) {
        if usesCodes { try SecurityRules.requireProofKeys(of: server, acceptsUnlisted: acceptsUnlisted) }
        // The endpoints could be those of another server, whose tokens the resource would receive.
        let names: [WritableKeyPath<Endpoints, String?>] = usesCodes ? [\.authorization] : [\.deviceAuthorization, \.token]
        let places = names.compactMap { server.endpoints[keyPath: $0].flatMap(Origin.init(url:)) }
        guard !isConfirmed, !(usesCodes && server.promisesIssuerInResponse), let own = Origin(url: server.issuer),
            let other = places.first(where: { $0 != own })
        else { return }
        let action = usesCodes ? "sends the browser to \(other), and responses do not name their issuer" : "has endpoints at \(other)"
        throw SessionError(
            .securityCheckFailed,
            "\(shown(server.issuer)) \(action), so nothing shows that both belong together; if they do, confirm the issuer (RFC 9700 §4.4)",
            underlying: ResourceAdvice.issuers([server.issuer]))
    }
}

/// What the user may name to sign in at a resource, as the underlying error.
package enum ResourceAdvice: Error {
    /// The issuers that the resource names, one of which must be named.
    case issuers([String])
    /// The resource that the metadata describes.
    case resource(String)
    /// A host in a private network.
    case privateServers
    /// A server that does not say that it supports PKCE.
    case withoutProofKeys
    /// A server that supports only other methods of PKCE, which no option accepts.
    case otherProofKeys
}

private func shown(_ url: String) -> String { displayable(url, limit: 200) }
