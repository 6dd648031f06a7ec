public import AuthHubPrimitives

/// What a program needs to sign people in at one provider, from a file: which provider, as which client, where the answer goes, what to ask
/// for.
///
/// A client secret is never in the file itself, which is copied, shown and checked in: the file says where it is.
public struct ClientSettings: Sendable {
    /// How a file says which provider is meant.
    public enum Source: Sendable, Hashable {
        /// A known one.
        case named(String, place: String?)
        case issuer(String)
        /// In the file, or one of the others that were given.
        case described
    }

    /// How the file says it.
    public let source: Source
    /// Which provider that is.
    public let provider: ProviderProfile
    /// As registered there.
    public let clientID: String
    /// The path of a file that holds the client secret alone, as it was written: relative to the settings file.
    public let clientSecretFile: String?
    /// nil means loopback on a free port.
    public let redirectURI: RedirectURI?
    /// nil means the provider's own.
    public let scope: Scope?
    /// nil leaves it to the provider.
    public let clientAuthentication: ClientAuthenticationMethod?
    /// Whether http is taken where the server is on this machine.
    public let allowsInsecureLoopback: Bool

    /// The client, once whoever reads files has read the secret.
    public func client(secret: Secret<String>?) -> OAuthClient {
        OAuthClient(id: clientID, secret: secret, redirectURI: redirectURI ?? .loopback, authentication: clientAuthentication)
    }
}

extension ClientSettings {
    private static let names: Set<String> = [
        "provider", "place", "client_id", "client_secret_file", "redirect_uri", "scopes", "client_authentication",
        "allow_insecure_loopback_for_development",
    ]

    /// Reads settings: a JSON object with these members.
    ///
    /// - `provider`: the name of a known one (``ProviderProfile/known``), an issuer's https URL, or an object as
    ///   ``ProviderProfile/init(settings:file:transport:)`` reads it.
    /// - `place`: the address of a server of one's own, or a tenant, for a known provider that has such.
    /// - `client_id`, and where the provider demands a secret `client_secret_file`; never the secret itself.
    /// - `redirect_uri`: `http://127.0.0.1/callback` if left out. `scopes`: a list. `client_authentication`.
    /// - `allow_insecure_loopback_for_development`: takes http where the server is on this machine.
    ///
    /// - Parameters:
    ///   - file: What the file is called in errors.
    ///   - others: More providers by name, such as those a person has added.
    /// - Throws: ``SettingsError`` that names the file and the field: for what is not strict JSON, a member that is missing, of the wrong type or
    ///   unknown, a secret in the file, a provider that is not known.
    public init(_ bytes: [UInt8], file: String, others: [String: ProviderProfile] = [:]) throws(SettingsError) {
        let members = try SettingsError.members(of: bytes, file: file)
        func failure(_ field: String?, _ problem: String) -> SettingsError { SettingsError(file: file, field: field, problem: problem) }
        func text(_ name: String) throws(SettingsError) -> String? {
            guard let value = members[name] else { return nil }
            guard let text = value.nonEmptyText else { throw failure(name, "is not a text with something in it") }
            return text
        }
        for name in ["client_secret", "secret"] where members[name] != nil {
            throw failure(name, "must not be in this file: write it into a file of its own, and name that in “client_secret_file”")
        }
        if let member = members.members.first(where: { !Self.names.contains($0.name) }) { throw failure(member.name, "is not known") }

        var transport = TransportPolicy.httpsOnly
        if let value = members["allow_insecure_loopback_for_development"] {
            guard let flag = value.bool else { throw failure("allow_insecure_loopback_for_development", "is not true or false") }
            if flag { transport = .insecureHTTPOnLoopbackForDevelopment }
        }
        allowsInsecureLoopback = transport != .httpsOnly
        (source, provider) = try Self.provider(members, try text("place"), transport, others, file)
        guard let id = try text("client_id") else { throw failure("client_id", "is missing") }
        guard OAuthClient.isValidID(id) else { throw failure("client_id", "has characters other than printable ASCII (RFC 6749 App. A.1)") }
        clientID = id
        clientSecretFile = try text("client_secret_file")
        redirectURI = try text("redirect_uri").map { uri throws(SettingsError) in
            guard let redirectURI = RedirectURI(uri) else {
                throw failure("redirect_uri", "is not one: http://127.0.0.1/callback, SCHEME:/path or https://HOST/path")
            }
            return redirectURI
        }
        if let value = members["scopes"] {
            guard let names = value.onlyTexts, names.allSatisfy(Scope.isValid) else { throw failure("scopes", "is not a list of scopes") }
            scope = Scope(names)
        } else {
            scope = nil
        }
        clientAuthentication = try text("client_authentication").map { name throws(SettingsError) in
            let method = ClientAuthenticationMethod(rawValue: name)
            guard [.none, .basic, .post].contains(method) else {
                throw failure("client_authentication", "is not none, client_secret_basic or client_secret_post")
            }
            return method
        }
        if provider.habits.registration.secret == .required, clientSecretFile == nil {
            throw failure("client_secret_file", "is missing: \(provider.displayName) demands a client secret")
        }
    }

    private static func provider(
        _ members: JSONObject, _ place: String?, _ transport: TransportPolicy, _ others: [String: ProviderProfile], _ file: String
    ) throws(SettingsError) -> (Source, ProviderProfile) {
        func failure(_ field: String, _ problem: String) -> SettingsError { SettingsError(file: file, field: field, problem: problem) }
        switch members["provider"] {
        case nil: throw failure("provider", "is missing")
        case .object(let object):
            guard place == nil else { throw failure("place", "belongs to a provider that is named") }
            return (.described, try ProviderProfile(members: object, file: file, within: "provider", transport: transport))
        case .string(let name):
            if let other = others[name] { return (.described, other) }
            if let known = ProviderProfile.known(name) {
                do {
                    return (.named(name, place: place), try known.profile(at: place, transport: transport))
                } catch {
                    throw failure("place", "cannot be used: \(error.explanation)")
                }
            }
            guard name.contains("://") else {
                throw failure("provider", "is none that is known, nor an issuer's https URL: \(displayable(name, limit: 60))")
            }
            do {
                return (.issuer(name), .issuer(try Issuer(name, transport: transport)))
            } catch {
                throw failure("provider", "cannot be used: \(error.explanation)")
            }
        default: throw failure("provider", "is not a name, an issuer's https URL, or an object")
        }
    }
}
