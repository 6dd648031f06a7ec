public import AuthHubPrimitives

/// The metadata of a client, as sent in a registration request or returned by the server (RFC 7591 §2).
///
/// All members are stored as JSON. Common ones have typed properties.
public struct ClientMetadata: Sendable, Hashable {
    /// All members, including those that have no property.
    public var members: JSONObject

    /// Creates metadata from JSON members; by default, without any.
    public init(_ members: JSONObject = JSONObject()) {
        self.members = members
    }

    /// Creates metadata for a program that users install: authorization code grant, refresh tokens, and no client secret (RFC 8252 §8.4,
    /// §8.5).
    public init(nativeProgram name: String, redirectURIs: [RedirectURI], scope: Scope? = nil) {
        self.init()
        clientName = name
        self.redirectURIs = redirectURIs.map(\.description)
        grantTypes = ["authorization_code", "refresh_token"]
        responseTypes = ["code"]
        tokenEndpointAuthenticationMethod = ClientAuthenticationMethod.none
        applicationType = "native"
        self.scope = scope
    }
}

extension ClientMetadata {
    /// The redirect URIs, for grants that use a browser (`redirect_uris`).
    public var redirectURIs: [String]? {
        get { texts("redirect_uris") }
        set { set("redirect_uris", newValue) }
    }
    /// nil means `client_secret_basic`.
    package var tokenEndpointAuthenticationMethod: ClientAuthenticationMethod? {
        get { text("token_endpoint_auth_method").map(ClientAuthenticationMethod.init(rawValue:)) }
        set { set("token_endpoint_auth_method", newValue?.rawValue) }
    }
    /// nil means only `authorization_code`.
    package var grantTypes: [String]? {
        get { texts("grant_types") }
        set { set("grant_types", newValue) }
    }
    /// nil means only `code`.
    package var responseTypes: [String]? {
        get { texts("response_types") }
        set { set("response_types", newValue) }
    }
    /// The name of the client for users (`client_name`). Members such as `client_name#ja` contain it in other languages (RFC 7591 §2.2).
    package var clientName: String? {
        get { members["client_name"]?.displayString }
        set { set("client_name", newValue) }
    }
    /// The URL of a page about the client.
    package var clientURI: String? {
        get { text("client_uri") }
        set { set("client_uri", newValue) }
    }
    /// The URL of the client's logo, which the server can show to users.
    package var logoURI: String? {
        get { text("logo_uri") }
        set { set("logo_uri", newValue) }
    }
    /// The scope that the client may request (`scope`); if nil, the server chooses one.
    package var scope: Scope? {
        get { text("scope").map { Scope($0) } }
        set { set("scope", newValue?.description) }
    }
    /// Ways to reach the people who are responsible for the client, typically e-mail addresses.
    package var contacts: [String]? {
        get { texts("contacts") }
        set { set("contacts", newValue) }
    }
    /// The URL of the terms of service that users of the client agree to.
    package var termsOfServiceURI: String? {
        get { text("tos_uri") }
        set { set("tos_uri", newValue) }
    }
    /// The URL of the privacy policy, which says how the client uses personal data.
    package var policyURI: String? {
        get { text("policy_uri") }
        set { set("policy_uri", newValue) }
    }
    /// The URL of the client's public keys; not together with ``keySet``.
    public var keySetURI: String? {
        get { text("jwks_uri") }
        set { set("jwks_uri", newValue) }
    }
    /// The client's public keys (RFC 7517 §5), such as ``ClientKeys/publicKeys(at:)``; not together with ``keySetURI``.
    public var keySet: JSONObject? {
        get { members["jwks"]?.object }
        set { members["jwks"] = newValue.map(JSONValue.object) }
    }
    /// The developer's identifier of the software, the same for all installations and versions.
    package var softwareID: String? {
        get { text("software_id") }
        set { set("software_id", newValue) }
    }
    /// The version of the software that ``softwareID`` identifies.
    package var softwareVersion: String? {
        get { text("software_version") }
        set { set("software_version", newValue) }
    }
    /// A statement about the software, signed by a third party (§2.3). Sent unchanged.
    package var softwareStatement: String? {
        get { text("software_statement") }
        set { set("software_statement", newValue) }
    }
    /// `native` or `web` (OpenID Connect Dynamic Client Registration 1.0 §2); nil means `web`.
    package var applicationType: String? {
        get { text("application_type") }
        set { set("application_type", newValue) }
    }
    /// Whether the server should accept this client's authorization requests only if they are pushed (RFC 9126 §6).
    package var requiresPushedAuthorizationRequests: Bool? {
        get { members["require_pushed_authorization_requests"]?.bool }
        set { members["require_pushed_authorization_requests"] = newValue.map(JSONValue.bool) }
    }
}

extension ClientMetadata {
    func text(_ name: String) -> String? { members[name]?.string }
    func texts(_ name: String) -> [String]? { members[name]?.array?.compactMap(\.string) }

    private mutating func set(_ name: String, _ value: String?) { members[name] = value.map(JSONValue.string) }
    private mutating func set(_ name: String, _ values: [String]?) {
        members[name] = values.map { .array($0.map(JSONValue.string)) }
    }
}
