public import AuthHubPrimitives
import Synchronization

extension ServerState {
    /// The metadata document, the same for OpenID Connect Discovery 1.0 §3 and RFC 8414 §2; nil where the persona publishes none.
    var metadata: JSONValue? {
        guard persona.isOpenIDProvider else { return nil }
        return changed(withMessages(truth), in: .server)
    }

    private var truth: JSONValue {
        withDevice([
            "issuer": .string(issuer),
            "authorization_endpoint": .string(issuer + persona.addresses.authorization),
            "token_endpoint": .string(issuer + persona.addresses.token),
            "revocation_endpoint": .string(issuer + "/revoke"),
            "userinfo_endpoint": .string(issuer + "/userinfo"),
            "end_session_endpoint": .string(issuer + "/logout"),
            "jwks_uri": .string(issuer + "/jwks"),
            "scopes_supported": .array(persona.scopes.map { .string($0) }),
            "response_types_supported": ["code"],
            "response_modes_supported": ["query", "fragment"],
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["ES256"],
            "token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
            "revocation_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
            "code_challenge_methods_supported": ["S256"],
            "prompt_values_supported": ["none", "login", "consent", "select_account"],
            "claims_supported": [
                "iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "at_hash", "name", "preferred_username", "email", "email_verified",
            ],
            "authorization_response_iss_parameter_supported": true,
            "request_parameter_supported": false,
            "request_uri_parameter_supported": false,
            "claims_parameter_supported": false,
        ])
    }

    /// What protects the API (RFC 9728 §2).
    var resourceMetadata: JSONValue { changed(resourceTruth, in: .resource) }

    private var resourceTruth: JSONValue {
        [
            "resource": .string(issuer),
            "authorization_servers": [.string(issuer)],
            "jwks_uri": .string(issuer + "/jwks"),
            "scopes_supported": ["user", "repo"],
            "bearer_methods_supported": ["header"],
        ]
    }

    var resourceMetadataURL: String { issuer + "/.well-known/oauth-protected-resource" }
}

/// A member of a document that is not told as it is.
struct MetadataChange: Sendable {
    enum Document: Sendable {
        case server, resource
    }

    let document: Document
    let member: String
    /// nil leaves it out.
    let value: JSONValue?
}

extension ServerState {
    private func changed(_ document: JSONValue, in place: MetadataChange.Document) -> JSONValue {
        guard var members = document.object else { return document }
        for change in metadataChanges.withLock({ $0 }) where change.document == place { members[change.member] = change.value }
        return .object(members)
    }
}

extension Faults {
    /// The next requests below `/.well-known/` meet these faults, one each.
    public func nextMetadataResponse(_ faults: Fault...) {
        state.orderedFaults.withLock { $0.order(faults, at: .metadata) }
    }

    /// The metadata says this of a member from now on, whatever is true; nil leaves the member out. ``clear()`` does not take it back.
    public func tellInMetadata(_ member: String, _ value: JSONValue?) {
        state.metadataChanges.withLock { $0.append(MetadataChange(document: .server, member: member, value: value)) }
    }

    /// The same for the metadata of the protected resource.
    public func tellInResourceMetadata(_ member: String, _ value: JSONValue?) {
        state.metadataChanges.withLock { $0.append(MetadataChange(document: .resource, member: member, value: value)) }
    }
}
