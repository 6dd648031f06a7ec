import AuthHubPrimitives
import CredentialStorage
import OAuthProtocol

/// The stored form of settings. They are in the credential store, because they may include a client secret, under an account with only the
/// label.
extension AccountSettings {
    static func recordAccount(label: String) -> CredentialAccount {
        CredentialAccount(server: "authhub:settings", clientID: "authhub", label: label)
    }

    private static let format: Int64 = 1

    func record(label: String) throws(Failure) -> Secret<[UInt8]> {
        var members = JSONObject()
        members["format"] = .number(JSONNumber(Self.format))
        // The server under which the tokens are stored, so that a cached token can be found without creating a profile.
        members["server"] = .string(try account(label: label).server)
        members["client_id"] = .string(clientID)
        members["client_secret"] = clientSecret.map { .string($0.reveal()) }
        members["client_authentication"] = (clientAuthentication?.rawValue).map(JSONValue.string)
        members["provider"] = .string(providerArgument)
        members["name"] = name.map(JSONValue.string)
        switch provider {
        case .known(_, let place, let api):
            members["place"] = place.map(JSONValue.string)
            members["api"] = api.map(JSONValue.string)
        case .described(_, let description):
            members["description"] = description
        case .issuer: break
        }
        members["scope"] = (scope?.description).map(JSONValue.string)
        switch redirectURI.kind {
        case .loopback(let port, let path):
            members["redirect_port"] = .number(JSONNumber(Int64(port)))
            members["redirect_path"] = .string(path)
        case .customScheme, .https:
            members["redirect_uri"] = .string(redirectURI.description)
        }
        members["authorization_endpoint"] = overrides.authorization.map(JSONValue.string)
        members["token_endpoint"] = overrides.token.map(JSONValue.string)
        members["device_authorization_endpoint"] = overrides.deviceAuthorization.map(JSONValue.string)
        members["allow_insecure_loopback"] = .bool(allowsInsecureLoopback)
        members["settings_file"] = settingsFile.map(JSONValue.string)
        if usesClientCredentials { members["flow"] = "client-credentials" }
        return Secret(JSONValue.object(members).serialized())
    }

    /// Reads settings from a record.
    ///
    /// - Throws: ``Failure`` if the record is damaged, or was written by a newer program.
    init(record: Secret<[UInt8]>) throws(Failure) {
        guard let members = try? JSONValue(strict: record.reveal()).object, let format = members["format"]?.number?.int64,
            let clientID = members["client_id"]?.string, let provider = members["provider"]?.string
        else { throw Self.unreadable("the settings of this account are damaged") }
        guard format == Self.format else { throw Self.unreadable("a newer authhub wrote the settings of this account") }
        self.provider =
            if provider.contains("://") {
                .issuer(provider)
            } else if let description = members["description"] {
                .described(provider, description)
            } else {
                // Earlier versions stored the place of three providers as “web”, even if it was the only one.
                .known(
                    provider, place: members["place"]?.string ?? Self.earlier(members["web"]), api: Self.earlier(members["api"]))
            }
        name = members["name"]?.string
        self.clientID = clientID
        clientSecret = (members["client_secret"]?.string).map(Secret.init)
        clientAuthentication = (members["client_authentication"]?.string).map(ClientAuthenticationMethod.init(rawValue:))
        scope = (members["scope"]?.string).map { Scope($0) }
        redirectURI =
            (members["redirect_uri"]?.string).flatMap { RedirectURI($0) }
            ?? .loopback(
                port: members["redirect_port"]?.number?.int64.flatMap(UInt16.init(exactly:)) ?? 0,
                path: members["redirect_path"]?.string ?? "/callback")
        overrides = EndpointOverrides(
            authorization: members["authorization_endpoint"]?.string, token: members["token_endpoint"]?.string,
            deviceAuthorization: members["device_authorization_endpoint"]?.string)
        usesClientCredentials = members["flow"] == "client-credentials"
        settingsFile = members["settings_file"]?.string
        allowsInsecureLoopback = members["allow_insecure_loopback"]?.bool ?? false
    }

    private static func earlier(_ url: JSONValue?) -> String? {
        let defaults = ["https://github.com", "https://api.github.com", "https://anilist.co", "https://graphql.anilist.co"]
        return url?.string.flatMap { defaults.contains($0) ? nil : $0 }
    }

    private static func unreadable(_ message: String) -> Failure {
        Failure("store_failed", .storeFailed, message, hint: "authhub login PROVIDER --client-id ID replaces them")
    }
}

extension AccountSettings {
    /// Returns the account of the tokens, read from a record of settings without validating the rest of it.
    static func tokenAccount(in record: Secret<[UInt8]>, label: String) -> CredentialAccount? {
        guard let members = try? JSONValue(strict: record.reveal()), members["format"]?.number?.int64 == format,
            let server = members["server"]?.string, let clientID = members["client_id"]?.string
        else { return nil }
        return CredentialAccount(server: server, clientID: clientID, label: label)
    }
}
