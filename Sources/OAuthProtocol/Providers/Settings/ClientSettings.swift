public import AuthHubPrimitives

/// The settings of a client from a file: the provider, the client ID, the redirect URI and the scope.
///
/// The file never contains the client secret itself, because settings files are often copied, shown or committed. Instead, it names another
/// file that contains the secret.
public struct ClientSettings: Sendable {
    /// How the file names the provider.
    package enum Source: Sendable, Hashable {
        /// A built-in provider, with the URL or tenant and the URL of its API, if the file has them.
        case named(String, place: String?, api: String?)
        case issuer(String)
        /// A provider described in the file, or one of the caller's other providers.
        case described
    }

    /// How the file names the provider.
    package let source: Source
    /// The provider. Its display name is ``name`` if the settings contain one.
    public let provider: ProviderProfile
    /// The display name of the provider in the settings; nil means the provider's own display name.
    public let name: String?
    /// The client ID as registered at the provider.
    public let clientID: String
    /// The path of a file that contains only the client secret, exactly as written in the settings; nil if there is none. A relative path
    /// starts at the folder of the settings file.
    public let clientSecretFile: String?
    /// The redirect URI; nil means a loopback URI with any free port.
    public let redirectURI: RedirectURI?
    /// The requested scope; nil means the provider's default scope.
    public let scope: Scope?
    /// How the client authenticates; nil means the provider's default method.
    package let clientAuthentication: ClientAuthenticationMethod?
    /// Whether http is accepted if the server is on this machine.
    package let allowsInsecureLoopback: Bool

    /// Returns the client with its secret.
    ///
    /// - Parameter secret: The content of ``clientSecretFile``, which you have to read yourself; nil if there is no such file.
    public func client(secret: Secret<String>?) -> OAuthClient {
        OAuthClient(id: clientID, secret: secret, redirectURI: redirectURI ?? .loopback, authentication: clientAuthentication)
    }
}

extension ClientSettings {
    /// The members of a settings file, in the order of the documentation.
    package static let members = [
        "provider", "name", "place", "api", "client_id", "client_secret_file", "client_authentication", "redirect_uri", "scopes",
        "allow_insecure_loopback_for_development",
    ]
    private static let nameLimit = 100

    /// Creates the settings of a client from a JSON object with these members.
    ///
    /// - `provider`: The name of a built-in provider (`authhub provider list` shows them), the name of one of `others`, an issuer's https
    ///   URL, or an object with the members that ``ProviderProfile/init(settings:file:transport:)`` describes.
    /// - `name`: The display name.
    /// - `place`: The URL of the server or the tenant, for a built-in provider.
    /// - `api`: The URL of the server's API, if it cannot be derived from `place`.
    /// - `client_id`: The client ID. Required.
    /// - `client_secret_file`: The file that contains the client secret. Required if the provider requires a secret.
    /// - `client_authentication`: `none`, `client_secret_basic`, `client_secret_post`, `client_secret_jwt` or `private_key_jwt`; if
    ///   omitted, the provider's method.
    /// - `redirect_uri`: The redirect URI; if omitted, `http://127.0.0.1/callback`.
    /// - `scopes`: An array of scopes; if omitted, the provider's default scope.
    /// - `allow_insecure_loopback_for_development`: Whether http is accepted for servers on this machine, such as a test server in `place`.
    ///
    /// - Parameters:
    ///   - bytes: The content of the file.
    ///   - file: The name of the file to use in errors.
    ///   - others: Other providers by name, such as those that the user has added.
    /// - Throws: ``SettingsError`` with the file and the field if the bytes are not strict JSON; if a member is missing, unknown or of the
    ///   wrong type; if the settings contain a secret; or if the provider is unknown.
    public init(_ bytes: [UInt8], file: String, others: [String: ProviderProfile] = [:]) throws(SettingsError) {
        let members = try SettingsError.members(of: bytes, file: file)
        func failure(_ field: String?, _ problem: String) -> SettingsError { SettingsError(file: file, field: field, problem: problem) }
        func text(_ name: String) throws(SettingsError) -> String? {
            guard let value = members[name] else { return nil }
            guard let text = value.nonEmptyText else { throw failure(name, "must be a string that is not empty") }
            return text
        }
        for name in ["client_secret", "secret"] where members[name] != nil {
            throw failure(name, "must not be in this file; write the secret to a separate file and name that file in “client_secret_file”")
        }
        if let member = members.members.first(where: { !Self.members.contains($0.name) }) {
            throw failure(member.name, "is not a known member; use \(Self.members.joined(separator: ", "))")
        }

        var transport = TransportPolicy.httpsOnly
        if let value = members["allow_insecure_loopback_for_development"] {
            guard let flag = value.bool else { throw failure("allow_insecure_loopback_for_development", "must be true or false") }
            if flag { transport = .insecureHTTPOnLoopbackForDevelopment }
        }
        allowsInsecureLoopback = transport != .httpsOnly
        clientSecretFile = try text("client_secret_file")
        let named = try Self.provider(
            members, place: try text("place"), api: try text("api"), hasSecret: clientSecretFile != nil, transport, others, file)
        source = named.source
        name = try text("name")
        var provider = named.profile
        if let name {
            guard name.isShowable, name.unicodeScalars.count <= Self.nameLimit else {
                throw failure("name", "has invisible characters, or more than \(Self.nameLimit) characters")
            }
            provider.displayName = name
        }
        self.provider = provider
        guard let id = try text("client_id")?.withoutPasteRemnants else { throw failure("client_id", "is missing") }
        guard OAuthClient.isValidID(id) else { throw failure("client_id", "has characters other than printable ASCII (RFC 6749 App. A.1)") }
        clientID = id
        redirectURI = try text("redirect_uri").map { uri throws(SettingsError) in
            guard let redirectURI = RedirectURI(uri) else {
                throw failure("redirect_uri", "is not a redirect URI such as http://127.0.0.1/callback, SCHEME:/path or https://HOST/path")
            }
            return redirectURI
        }
        if let value = members["scopes"] {
            guard let names = value.onlyTexts, names.allSatisfy(Scope.isValid) else { throw failure("scopes", "is not an array of scopes") }
            scope = Scope(names)
        } else {
            scope = nil
        }
        clientAuthentication = try text("client_authentication").map { name throws(SettingsError) in
            let method = ClientAuthenticationMethod(rawValue: name)
            guard ClientAuthenticationMethod.supported.contains(method) else {
                let names = ClientAuthenticationMethod.supported.map(\.rawValue).joined(separator: ", ")
                throw failure("client_authentication", "must be one of \(names)")
            }
            return method
        }
        if provider.quirks.registration.secret == .required, clientSecretFile == nil {
            throw failure("client_secret_file", "is missing: \(provider.displayName) requires a client secret")
        }
    }

    private static func provider(
        _ members: JSONObject, place: String?, api: String?, hasSecret: Bool, _ transport: TransportPolicy,
        _ others: [String: ProviderProfile], _ file: String
    ) throws(SettingsError) -> (source: Source, profile: ProviderProfile) {
        func failure(_ field: String, _ problem: String) -> SettingsError { SettingsError(file: file, field: field, problem: problem) }
        func refusePlace(_ reason: String) throws(SettingsError) {
            if let field = place != nil ? "place" : api != nil ? "api" : nil { throw failure(field, "cannot be used: \(reason)") }
        }
        switch members["provider"] {
        case nil: throw failure("provider", "is missing")
        case .object(let object):
            try refusePlace(BuiltInProvider.describedHasNoPlace)
            return (.described, try ProviderProfile(members: object, file: file, within: "provider", transport: transport))
        case .string(let name):
            if let other = others[name] {
                try refusePlace(BuiltInProvider.describedHasNoPlace)
                return (.described, other)
            }
            if let known = ProviderProfile.builtIn(name, hasSecret: hasSecret) {
                do {
                    return (.named(name, place: place, api: api), try known.checkedProfile(at: place, api: api, transport: transport))
                } catch {
                    let advice = error.isForDevelopment ? "; for development, add \"allow_insecure_loopback_for_development\": true" : ""
                    throw failure(error.part == .api ? "api" : "place", error.problem + advice)
                }
            }
            guard name.contains("://") else {
                throw failure("provider", "is neither a known provider nor an issuer's https URL: \(displayable(name, limit: 60))")
            }
            try refusePlace(BuiltInProvider.issuerHasNoPlace)
            do {
                return (.issuer(name), .issuer(try Issuer(name, transport: transport)))
            } catch {
                throw failure("provider", "cannot be used: \(error.explanation)")
            }
        default: throw failure("provider", "is not a name, an issuer's https URL, or an object")
        }
    }
}
