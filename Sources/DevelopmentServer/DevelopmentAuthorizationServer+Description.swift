package import AuthHubPrimitives

extension DevelopmentAuthorizationServer {
    /// Returns everything that a program needs to use this server: URLs, metadata, clients with their secrets, a user with the password.
    ///
    /// The secrets are included on purpose: they are only meant for development and protect nothing else.
    package func description() -> JSONValue {
        var object = JSONObject()
        object["name"] = "authhub"
        object["persona"] = .string(persona.name)
        object["port"] = .number(JSONNumber(Int64(port)))
        object["base"] = .string(issuer)
        object["issuer"] = .string(issuer)
        if let metadata = state.metadata {
            object["metadata_url"] = .string(issuer + "/.well-known/openid-configuration")
            object["oauth_metadata_url"] = .string(issuer + "/.well-known/oauth-authorization-server")
            object["resource_metadata_url"] = .string(state.resourceMetadataURL)
            object["metadata"] = metadata
        }
        object["endpoints"] = .object(describedEndpoints)
        object["clients"] = .object(describedClients)
        object["user"] = users.first.map(Self.described)
        object["users"] = .array(users.map(Self.described))
        object["scopes"] = .array(persona.scopes.map { .string($0) })
        object["login_driver"] = "html"
        object["api"] = ["user": .string(issuer + "/user"), "repos": .string(issuer + "/user/repos")]
        return .object(object)
    }

    private var describedEndpoints: JSONObject {
        var endpoints = JSONObject()
        endpoints["authorization_endpoint"] = .string(authorizationEndpoint)
        endpoints["token_endpoint"] = .string(tokenEndpoint)
        endpoints["device_authorization_endpoint"] = deviceAuthorizationEndpoint.map { .string($0) }
        for member in state.metadata?.object?.members ?? [] where member.name.hasSuffix("_endpoint") || member.name == "jwks_uri" {
            endpoints[member.name] = member.value
        }
        return endpoints
    }

    /// The clients: by role for the first of each kind (`public`, `confidential`, and `device` for the device flow), by ID for the others.
    private var describedClients: JSONObject {
        var object = JSONObject()
        for client in clients {
            let role = client.secret == nil ? "public" : "confidential"
            object[object[role] == nil ? role : client.id] = Self.described(client)
        }
        if deviceAuthorizationEndpoint != nil {
            let devices = clients.filter(\.allowsDevices)
            object["device"] = (devices.first { $0.secret == nil } ?? devices.first).map(Self.described)
        }
        return object
    }

    private static func described(_ client: DevelopmentClient) -> JSONValue {
        var described = JSONObject()
        described["client_id"] = .string(client.id)
        described["client_secret"] = client.secret.map { .string($0.reveal()) }
        described["client_name"] = .string(client.name)
        described["token_endpoint_auth_method"] = client.secret == nil ? "none" : ["client_secret_basic", "client_secret_post"]
        described["redirect_uris"] = .array(client.redirectURIs.map { .string(withPort($0)) })
        return .object(described)
    }

    /// Returns a redirect URI that a client can be started with: the server accepts any port of this machine's addresses.
    private static func withPort(_ uri: String) -> String {
        guard let origin = Origin(url: uri), origin.isLoopback, origin.scheme == "http", origin.port == 80 else { return uri }
        return "http://\(origin.host):\(DevelopmentClient.aniListPort)\(RequestTarget(uri)?.path ?? "/")"
    }

    private static func described(_ user: DevelopmentUser) -> JSONValue {
        ["username": .string(user.login), "password": .string(user.password.reveal()), "name": .string(user.name)]
    }
}
