package import AuthHubPrimitives
package import HTTPTypes
package import Platform

/// A request to register a client (RFC 7591 §3.1), or to read, change or delete its registration (RFC 7592 §2).
package struct RegistrationRequest: Sendable {
    /// The HTTP request.
    package let message: BackChannelRequest
    private let purpose: Purpose

    private enum Purpose {
        case register(ClientMetadata)
        case read(ClientRegistration)
        case update(ClientRegistration, ClientMetadata)
        case delete(ClientRegistration)
    }

    /// Creates a request to register a client.
    ///
    /// - Parameter initialAccessToken: The token that some servers require for a registration.
    /// - Throws: ``OAuthError``: `.misuse` for metadata that breaks a rule of RFC 7591, and for an unusable token; `.configuration` if
    ///   the server has no usable endpoint.
    package static func register(
        _ metadata: ClientMetadata, initialAccessToken: Secret<String>? = nil, at server: ProviderProfile
    ) throws(OAuthError) -> Self {
        try metadata.check()
        if let initialAccessToken, !isUsableToken(initialAccessToken.reveal()) {
            throw OAuthError(.misuse, "the initial access token is empty or has characters that are not allowed in tokens")
        }
        let endpoint = try server.url(of: .registration)
        return Self(
            message: try message(.post, to: endpoint, token: initialAccessToken, body: metadata.members), purpose: .register(metadata))
    }

    /// Creates a request to read a registration.
    ///
    /// - Throws: ``OAuthError``: `.securityCheckFailed` if another server registered the client; `.configuration` if it cannot be managed.
    package static func read(_ registration: ClientRegistration, at server: ProviderProfile) throws(OAuthError) -> Self {
        Self(message: try managing(registration, .get, at: server), purpose: .read(registration))
    }

    /// Creates a request to replace the metadata. Members that are left out are deleted, or get the server's defaults (RFC 7592 §2.2).
    ///
    /// - Throws: ``OAuthError`` as ``read(_:at:)`` and ``register(_:initialAccessToken:at:)`` do.
    package static func update(
        _ registration: ClientRegistration, to metadata: ClientMetadata, at server: ProviderProfile
    ) throws(OAuthError) -> Self {
        try metadata.check()
        var members = metadata.members
        members["client_id"] = .string(registration.clientID)
        members["client_secret"] = registration.clientSecret.map { .string($0.reveal()) }
        return Self(message: try managing(registration, .put, body: members, at: server), purpose: .update(registration, metadata))
    }

    /// Creates a request to delete a registration.
    ///
    /// - Throws: ``OAuthError`` as ``read(_:at:)`` does.
    package static func delete(_ registration: ClientRegistration, at server: ProviderProfile) throws(OAuthError) -> Self {
        Self(message: try managing(registration, .delete, at: server), purpose: .delete(registration))
    }
}

extension RegistrationRequest {
    /// Checks the response.
    ///
    /// - Parameter now: The time of the response, for a `Retry-After` with a date; if nil, only seconds are read.
    /// - Returns: The current registration, with the newest token for its management; nil if it was deleted.
    /// - Throws: ``OAuthError``: `.serverRejected` if the server returned an error, such as ``ServerErrorCode/invalidRedirectURI``;
    ///   `.invalidResponse` if the status is not the standard's (201 for a registration; 200 is accepted, and reported unless the profile
    ///   says so), `client_id` is missing, or the expiry of a secret is not a number; `.securityCheckFailed` if the response describes
    ///   another client.
    package func accept(
        _ head: HTTPResponse, body: Secret<[UInt8]>, from server: ProviderProfile, at now: Date? = nil
    ) throws(OAuthError) -> ClientRegistration? {
        if case .delete = purpose, head.status == .noContent { return nil }
        let members = try ResponseReader(request: message, server: server, now: now).members(of: head, body: body)
        switch purpose {
        case .register(let metadata):
            if head.status != .ok { try Self.check(head, is: .created, "the registration") }
            let isExpected = head.status == .created || server.quirks.responses.acceptsOKForRegistrations
            return try ClientRegistration(
                members, from: server, requested: metadata,
                irregularities: isExpected ? [] : ["the response to the registration has status 200 instead of 201"])
        case .read(let earlier):
            try Self.check(head, is: .ok, "the request for the registration")
            return try ClientRegistration(members, from: server, requested: nil, earlier: earlier)
        case .update(let earlier, let metadata):
            try Self.check(head, is: .ok, "the update of the registration")
            return try ClientRegistration(members, from: server, requested: metadata, earlier: earlier)
        case .delete:
            try Self.check(head, is: .noContent, "the deletion of the registration")
            return nil
        }
    }

    private static func check(_ head: HTTPResponse, is status: HTTPResponse.Status, _ what: String) throws(OAuthError) {
        guard head.status == status else {
            throw OAuthError(.invalidResponse, "the response to \(what) has status \(head.status.code) instead of \(status.code)")
        }
    }

    private static func managing(
        _ registration: ClientRegistration, _ method: HTTPRequest.Method, body: JSONObject? = nil, at server: ProviderProfile
    ) throws(OAuthError) -> BackChannelRequest {
        try registration.check(server)
        guard let address = registration.clientURI, let token = registration.accessToken else {
            let reason = registration.clientURIProblem.map { ": the URL that the server returned is not used, because \($0)" } ?? ""
            throw OAuthError(.configuration, "this registration cannot be managed\(reason)")
        }
        guard server.transport.allows(address) else {
            throw OAuthError(.configuration, "the registration URL must be an https URL without fragment")
        }
        return try message(method, to: address, token: token, body: body)
    }

    private static func message(
        _ method: HTTPRequest.Method, to endpoint: String, token: Secret<String>?, body: JSONObject?
    ) throws(OAuthError) -> BackChannelRequest {
        try BackChannelRequest(method, to: endpoint, contentType: "application/json") { head in
            if let token { head.headerFields[.authorization] = "Bearer \(token.reveal())" }
            guard let body else {
                head.headerFields[.contentType] = nil
                return []
            }
            return JSONValue.object(body).serialized()
        }
    }
}
