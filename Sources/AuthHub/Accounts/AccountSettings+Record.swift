package import AuthHubPrimitives
package import CredentialStorage
import OAuthProtocol

/// Settings are stored in the credential store, because they contain a client secret. Their account consists of the label only.
extension AccountSettings {
    package static func recordAccount(label: String) -> CredentialAccount {
        CredentialAccount(server: "authhub:settings", clientID: "authhub", label: label)
    }

    private static let format: Int64 = 1

    /// Writes the record.
    ///
    /// - Throws: ``SessionError`` with `.misconfigured`, as ``profile()`` does.
    package func record(label: String) throws(SessionError) -> Secret<[UInt8]> {
        var members = JSONObject()
        members["format"] = .number(JSONNumber(Self.format))
        // The tokens' account, so that a cached token can be found without creating a profile.
        members["server"] = .string(try account(label: label).server)
        for member in client.credentials.members { members[member.name] = member.value }
        members["provider"] = .string(provider.name)
        members["name"] = name.map(JSONValue.string)
        members["place"] = provider.place.map(JSONValue.string)
        members["api"] = provider.api.map(JSONValue.string)
        members["description"] = provider.description
        members["scope"] = (scope?.description).map(JSONValue.string)
        switch client.redirectURI.kind {
        case .loopback(let port, let path):
            members["redirect_port"] = .number(JSONNumber(Int64(port)))
            members["redirect_path"] = .string(path)
        case .customScheme, .https:
            members["redirect_uri"] = .string(client.redirectURI.description)
        }
        members["authorization_endpoint"] = overrides.authorization.map(JSONValue.string)
        members["token_endpoint"] = overrides.token.map(JSONValue.string)
        members["device_authorization_endpoint"] = overrides.deviceAuthorization.map(JSONValue.string)
        members["base_url"] = overrides.base.map(JSONValue.string)
        members["allow_insecure_loopback"] = .bool(allowsInsecureLoopback)
        members["resource"] = (resource?.text).map(JSONValue.string)
        if isIssuerConfirmed { members["issuer_confirmed"] = true }
        if allowsPrivateServers { members["allow_private_servers"] = true }
        if assumesOrigin { members["without_resource_metadata"] = true }
        if skipsProofKeyCheck { members["without_pkce_check"] = true }
        if omitsResourceParameter { members["without_resource"] = true }
        members["settings_file"] = settingsFile.map(JSONValue.string)
        if usesClientCredentials { members["flow"] = "client-credentials" }
        members["assertion"] = assertion?.record
        return Secret(JSONValue.object(members).serialized())
    }

    /// - Throws: ``SessionError`` with `.storeFailed` if the record is damaged or was written by a newer version of the program.
    package init(record: Secret<[UInt8]>) throws(SessionError) {
        guard let members = try? JSONValue(strict: record.reveal()).object, let format = members["format"]?.number?.int64,
            var client = OAuthClient(credentials: members), let provider = members["provider"]?.string
        else { throw Self.unreadable("the settings of this account are damaged") }
        guard format == Self.format else { throw Self.unreadable("a newer version of authhub wrote the settings of this account") }
        client.redirectURI =
            (members["redirect_uri"]?.string).flatMap { RedirectURI($0) }
            ?? .loopback(
                port: members["redirect_port"]?.number?.int64.flatMap(UInt16.init(exactly:)) ?? 0,
                path: members["redirect_path"]?.string ?? "/callback")
        self.init(
            // Earlier versions stored the place of three providers as “web”, even if it was the only one.
            provider: .stored(
                provider, place: members["place"]?.string ?? Self.earlier(members["web"]), api: Self.earlier(members["api"]),
                description: members["description"]),
            name: members["name"]?.string,
            client: client,
            scope: (members["scope"]?.string).map { Scope($0) },
            allowsInsecureLoopback: members["allow_insecure_loopback"]?.bool ?? false,
            usesClientCredentials: members["flow"] == "client-credentials")
        overrides = EndpointOverrides(
            authorization: members["authorization_endpoint"]?.string, token: members["token_endpoint"]?.string,
            deviceAuthorization: members["device_authorization_endpoint"]?.string, base: members["base_url"]?.string)
        resource = (members["resource"]?.string).flatMap { ResourceIndicator($0) }
        isIssuerConfirmed = members["issuer_confirmed"]?.bool ?? false
        allowsPrivateServers = members["allow_private_servers"]?.bool ?? false
        assumesOrigin = members["without_resource_metadata"]?.bool ?? false
        skipsProofKeyCheck = members["without_pkce_check"]?.bool ?? false
        omitsResourceParameter = members["without_resource"]?.bool ?? false
        if let record = members["assertion"] {
            guard let source = AssertionSettings(record: record) else {
                throw Self.unreadable("the settings of this account are damaged")
            }
            assertion = source
        }
        settingsFile = members["settings_file"]?.string
    }

    private static func earlier(_ url: JSONValue?) -> String? {
        let defaults = ["https://github.com", "https://api.github.com", "https://anilist.co", "https://graphql.anilist.co"]
        return url?.string.flatMap { defaults.contains($0) ? nil : $0 }
    }

    private static func unreadable(_ message: String) -> SessionError {
        SessionError(.storeFailed, message, underlying: UnreadableRecord())
    }

    /// The underlying error if a record cannot be read. Only signing in again replaces the record.
    package struct UnreadableRecord: Error {}
}

extension AccountSettings {
    /// The account that the tokens are stored under, read from a record of settings without checking the rest of it.
    package static func tokenAccount(in record: Secret<[UInt8]>, label: String) -> CredentialAccount? {
        guard let members = try? JSONValue(strict: record.reveal()), members["format"]?.number?.int64 == format,
            let server = members["server"]?.string, let clientID = members["client_id"]?.string
        else { return nil }
        return CredentialAccount(server: server, clientID: clientID, label: label)
    }
}
