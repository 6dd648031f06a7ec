import AuthHubPrimitives

extension ServerState {
    /// Adds the metadata of the introspection, registration and pushed request endpoints (RFC 8414 §2, RFC 9126 §5, RFC 9396 §10).
    func withMessages(_ metadata: JSONValue) -> JSONValue {
        guard var members = metadata.object else { return metadata }
        let quirks = persona.messages
        let grants: [JSONValue] = ["client_credentials", .string(TokenEndpoint.tokenExchangeGrantType)]
        members["grant_types_supported"] = .array((members["grant_types_supported"]?.array ?? []) + grants)
        members["authorization_details_types_supported"] = .array(quirks.authorizationDetailTypes.map { .string($0) })
        if quirks.introspects {
            members["introspection_endpoint"] = .string(issuer + "/introspect")
            members["introspection_endpoint_auth_methods_supported"] = ["client_secret_basic", "client_secret_post"]
        }
        if persona.readsClientDocuments { members["client_id_metadata_document_supported"] = true }
        if quirks.registration != .nobody { members["registration_endpoint"] = .string(issuer + "/register") }
        if quirks.takesPushedRequests { members["pushed_authorization_request_endpoint"] = .string(issuer + "/par") }
        if quirks.requiresPushedRequests { members["require_pushed_authorization_requests"] = true }
        return .object(members)
    }

    /// Adds the metadata of the device authorization endpoint (RFC 8628 §4).
    func withDevice(_ metadata: JSONValue) -> JSONValue {
        guard let endpoint = deviceAuthorizationEndpoint, var members = metadata.object else { return metadata }
        members["device_authorization_endpoint"] = .string(endpoint)
        members["grant_types_supported"] = .array(
            (members["grant_types_supported"]?.array ?? []) + [.string(TokenEndpoint.deviceGrantType)])
        return .object(members)
    }
}
