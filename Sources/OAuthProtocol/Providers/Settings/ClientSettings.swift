public import AuthHubPrimitives

/// The settings of a client from a file: the provider, the client ID, the redirect URI and the scope.
///
/// A client secret is never in the file itself, because such files are copied, shown and checked in. The file names another file for it.
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
    /// The provider, with ``name`` as its display name if there is one.
    public let provider: ProviderProfile
    /// The display name of the provider; nil means the provider's own.
    public let name: String?
    /// The client ID as registered at the provider.
    public let clientID: String
    /// The path of a file that holds only the client secret, as written: relative to the settings file.
    public let clientSecretFile: String?
    /// The redirect URI; nil means loopback on a free port.
    public let redirectURI: RedirectURI?
    /// The scope; nil means the provider's default.
    public let scope: Scope?
    /// How the client authenticates; nil means as the provider says.
    package let clientAuthentication: ClientAuthenticationMethod?
    /// Whether http is accepted if the server is on this machine.
    package let allowsInsecureLoopback: Bool

    /// Returns the client with the secret that you read from ``clientSecretFile``.
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

    /// Reads settings: a JSON object with these members.
    ///
    /// - `provider`: the name of a built-in one (`authhub provider list` shows them), an issuer's https URL, or an object as
    ///   ``ProviderProfile/init(settings:file:transport:)`` reads it.
    /// - `name`: the display name.
    /// - `place`: for a built-in provider, the URL of the server, or a tenant. `api`: the URL of its API, if that does not follow from
    ///   `place`.
    /// - `client_id`, and if the provider demands a secret, `client_secret_file`; never the secret itself. `client_authentication`.
    /// - `redirect_uri`: `http://127.0.0.1/callback` if left out. `scopes`: a list.
    /// - `allow_insecure_loopback_for_development`: allows http on this machine, and a server there that plays a provider.
    ///
    /// - Parameters:
    ///   - file: The name of the file in errors.
    ///   - others: Other providers by name, such as those that the user has added.
    /// - Throws: ``SettingsError`` that names the file and the field: if the file is not strict JSON, a member is missing, unknown or has
    ///   the wrong type, the file holds a secret, or the provider is unknown.
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
        guard let id = try text("client_id") else { throw failure("client_id", "is missing") }
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
            guard [.none, .basic, .post].contains(method) else {
                throw failure("client_authentication", "must be none, client_secret_basic or client_secret_post")
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
