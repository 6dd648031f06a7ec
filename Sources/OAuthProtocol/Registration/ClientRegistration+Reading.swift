import AuthHubPrimitives
import Platform

extension ClientRegistration {
    /// Reads a registration in a server's response.
    ///
    /// Many servers return every member that they know, with null or an empty string for those that were not set: these count as missing.
    /// A missing authentication method is not the default of RFC 7591 §2, because many servers omit the method that was requested.
    ///
    /// - Parameters:
    ///   - irregularities: What is wrong with the response, although it is accepted.
    ///   - requested: The metadata that was sent, to compare with; nil if none was sent.
    ///   - earlier: The current registration, whose values are kept if the response omits them.
    init(
        _ members: JSONObject, from server: ProviderProfile, requested: ClientMetadata?, earlier: ClientRegistration? = nil,
        irregularities: [String] = []
    ) throws(OAuthError) {
        let members = members.withoutEmptyMembers
        guard let clientID = members["client_id"]?.string, !clientID.isEmpty else {
            throw OAuthError(.invalidResponse, "the response to the registration has no client_id")
        }
        guard OAuthClient.isValidID(clientID) else {
            throw OAuthError(
                .invalidResponse,
                "the client_id in the registration response has characters other than printable ASCII (RFC 6749 App. A.1)")
        }
        if let earlier, !earlier.clientID.hasSameBytes(as: clientID) {
            throw OAuthError(.securityCheckFailed, "the response describes another client")
        }
        self.server = server.identity
        self.clientID = clientID
        (clientSecret, clientSecretExpiresAt, lacksSecretExpiry) = try Self.secret(in: members, earlier: earlier)
        issuedAt = members["client_id_issued_at"]?.number.flatMap(Self.date) ?? earlier?.issuedAt
        (clientURI, clientURIProblem) = Self.clientURI(in: members, from: server, earlier: earlier)
        accessToken = try Self.accessToken(in: members) ?? earlier?.accessToken
        self.irregularities = irregularities
        var metadata = ClientMetadata(registered: members)
        for name in ClientMetadata.serverMembers { metadata.members[name] = nil }
        if let name = metadata.memberOfWrongOpenIDType {
            throw OAuthError(.invalidResponse, "the member \(name) of the registration response has the wrong type")
        }
        differences = requested.map { Self.differences(of: $0, in: metadata) } ?? []
        if metadata.tokenEndpointAuthenticationMethod == nil {
            metadata.tokenEndpointAuthenticationMethod = Self.authentication(
                (requested ?? earlier?.metadata)?.tokenEndpointAuthenticationMethod, hasSecret: clientSecret != nil, at: server)
        }
        self.metadata = metadata
    }

    /// Returns the authentication method of a client whose registration names none.
    ///
    /// - Parameter requested: The requested method; nil for the default, `client_secret_basic`.
    /// - Returns: The requested one if the client can use it and the server lists it, or else one that the server lists.
    static func authentication(
        _ requested: ClientAuthenticationMethod?, hasSecret: Bool, at server: ProviderProfile
    ) -> ClientAuthenticationMethod {
        let listed = server.metadata?.tokenEndpointAuthenticationMethods?.map(ClientAuthenticationMethod.init(rawValue:))
        let requested = requested ?? .basic
        let isPossible = hasSecret || [.none, .privateKeyJWT].contains(requested)
        if isPossible, listed?.contains(requested) ?? true { return requested }
        let others: [ClientAuthenticationMethod] = hasSecret ? [.basic, .post, .clientSecretJWT] : [.none]
        let fallback: ClientAuthenticationMethod = hasSecret && !(listed?.contains(.none) ?? false) ? .basic : .none
        return listed?.first(where: others.contains) ?? fallback
    }

    /// Reads the secret, its expiry, and whether the expiry is missing; 0 means that it does not expire (RFC 7591 §3.2.1). Many servers omit
    /// the expiry, and their secrets do not expire.
    private static func secret(
        in members: JSONObject, earlier: ClientRegistration?
    ) throws(OAuthError) -> (secret: Secret<String>?, end: Date?, lacksExpiry: Bool) {
        guard let value = members["client_secret"] else {
            return (earlier?.clientSecret, earlier?.clientSecretExpiresAt, earlier?.lacksSecretExpiry ?? false)
        }
        guard let secret = value.string else { throw OAuthError(.invalidResponse, "the client_secret is not a string") }
        guard let expiry = members["client_secret_expires_at"] else { return (Secret(secret), nil, true) }
        guard let end = expiry.number, let date = date(end) else {
            throw OAuthError(.invalidResponse, "the client_secret_expires_at is not a number of seconds since 1970")
        }
        return (Secret(secret), end.double == 0 ? nil : date, false)
    }

    private static func date(_ number: JSONNumber) -> Date? {
        let seconds = number.double
        return (0...0x1p53).contains(seconds) ? Date(timeIntervalSince1970: seconds) : nil
    }

    private static func accessToken(in members: JSONObject) throws(OAuthError) -> Secret<String>? {
        guard let value = members["registration_access_token"] else { return nil }
        guard let token = value.string, isUsableToken(token) else {
            throw OAuthError(.invalidResponse, "the registration_access_token is not a valid token")
        }
        return Secret(token)
    }

    /// Reads the URL of the registration (RFC 7592 §3). Only the server may get the token, so the URL must be at one of its origins.
    private static func clientURI(
        in members: JSONObject, from server: ProviderProfile, earlier: ClientRegistration?
    ) -> (String?, String?) {
        guard let value = members["registration_client_uri"] else { return (earlier?.clientURI, nil) }
        guard let uri = value.string, server.transport.allows(uri), let origin = Origin(url: uri) else {
            return (earlier?.clientURI, "it is not an https URL, or it has a fragment")
        }
        let own = [server.issuer, server.endpoints?.registration].compactMap { $0.flatMap { Origin(url: $0) } }
        guard own.contains(origin) else { return (earlier?.clientURI, "it is at another origin, \(origin)") }
        return (uri, nil)
    }

    /// Returns the members that the server changed. Members that it added count only if they concern redirect URIs, grants or secrets.
    private static func differences(of requested: ClientMetadata, in registered: ClientMetadata) -> [Difference] {
        let notEchoed: Set<String> = ["software_statement"]
        return requested.members.members.compactMap { member in
            let answer = registered.members[member.name]
            guard !notEchoed.contains(member.name), !isSame(member.value, answer, member.name) else { return nil }
            return Difference(name: member.name, requested: member.value, registered: answer)
        }
            + ["redirect_uris", "token_endpoint_auth_method", "grant_types", "response_types"].compactMap { name in
                guard requested.members[name] == nil, let answer = registered.members[name], !isSame(standard(name), answer, name) else {
                    return nil
                }
                return Difference(name: name, requested: nil, registered: answer)
            }
    }

    /// Returns the default of a member (RFC 7591 §2).
    private static func standard(_ name: String) -> JSONValue {
        switch name {
        case "token_endpoint_auth_method": "client_secret_basic"
        case "grant_types": ["authorization_code"]
        case "response_types": ["code"]
        default: []
        }
    }

    /// Compares lists and scopes as sets, and everything else exactly.
    private static func isSame(_ left: JSONValue, _ right: JSONValue?, _ name: String) -> Bool {
        if let left = left.array?.compactMap(\.string), let right = right?.array?.compactMap(\.string) { return Set(left) == Set(right) }
        if name == "scope", let left = left.string, let right = right?.string { return Set(Scope(left).names) == Set(Scope(right).names) }
        return left == right
    }
}
