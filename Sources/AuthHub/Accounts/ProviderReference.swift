package import AuthHubPrimitives
public import OAuthProtocol

/// A reference to the provider of an account: a built-in provider, an issuer, or a provider described by a profile.
///
/// Unlike an ``OAuthProtocol/ProviderProfile``, a reference is small and can be stored. ``AccountSettings/profile()`` creates the profile
/// from the reference.
public struct ProviderReference: Sendable, Hashable {
    /// The name of the provider, or the issuer's https URL.
    public let name: String
    /// The URL of the server or the tenant (``OAuthProtocol/BuiltInProvider/place``); nil means the only one or the default.
    package let place: String?
    /// The URL of the API, if it does not follow from ``place``.
    package let api: String?
    /// The description of a provider that is not built in; nil for all others.
    package let description: JSONValue?

    private init(name: String, place: String? = nil, api: String? = nil, description: JSONValue? = nil) {
        self.name = name
        self.place = place
        self.api = api
        self.description = description
    }
}

extension ProviderReference {
    /// Creates a reference to a built-in provider, such as `gitlab`. The command `authhub provider list` prints the names.
    ///
    /// - Parameters:
    ///   - place: The URL of the server, or the tenant; nil for the provider's default.
    ///   - api: The URL of the API; nil if it follows from `place`.
    public static func builtIn(_ name: String, place: String? = nil, api: String? = nil) -> Self {
        Self(name: name, place: place, api: api)
    }

    /// Creates a reference to a server by its issuer URL. The server must publish metadata under that URL.
    public static func issuer(_ url: String) -> Self { Self(name: url) }

    /// Creates a reference that contains the complete description of a provider.
    public static func described(_ profile: ProviderProfile) -> Self { described(profile.name, profile.settings) }

    package static func described(_ name: String, _ description: JSONValue) -> Self { Self(name: name, description: description) }

    /// Reads a stored reference. A name that is a URL is an issuer, which has neither a place nor a description.
    package static func stored(_ name: String, place: String?, api: String?, description: JSONValue?) -> Self {
        if name.isURL { return .issuer(name) }
        return description.map { .described(name, $0) } ?? .builtIn(name, place: place, api: api)
    }

    /// Whether the reference is an issuer's URL.
    package var isIssuer: Bool { description == nil && name.isURL }

    /// Whether the reference has its own description.
    package var isDescribed: Bool { description != nil }

    /// The built-in provider; nil for all others, and for a name that is not built in any more.
    package var known: BuiltInProvider? { isDescribed ? nil : ProviderProfile.builtIn(name) }

    /// Whether a described provider has the name of a built-in one. The name by itself then means the built-in one.
    package var isShadowedByBuiltIn: Bool { isDescribed && ProviderProfile.builtIn(name.lowercased()) != nil }

    /// The URL of the server, or the tenant, if the name does not determine it.
    package var location: String? { isIssuer ? name : place }
}

extension ProviderReference {
    /// Creates the profile.
    ///
    /// - Parameter hasSecret: Whether the client has a secret. Some providers offer a different grant to such clients.
    /// - Throws: ``SessionError`` with `.misconfigured` if the provider is unknown or cannot be used.
    package func profile(hasSecret: Bool, transport: TransportPolicy) throws(SessionError) -> ProviderProfile {
        do {
            if let description {
                return try ProviderProfile(settings: description.serialized(), file: "the provider \(name)", transport: transport)
            }
            if isIssuer { return .issuer(try Issuer(name, transport: transport)) }
            guard let known = ProviderProfile.builtIn(name, hasSecret: hasSecret) else {
                throw problem("the provider “\(name)” is no longer known", transport)
            }
            return try known.profile(at: place, api: api, transport: transport)
        } catch let error as SessionError {
            throw error
        } catch let error as OAuthError {
            throw problem(isIssuer ? error.explanation : "the URL or tenant of \(name) cannot be used: \(error.explanation)", transport)
        } catch {
            throw problem("\(error)", transport)
        }
    }

    private func problem(_ explanation: String, _ transport: TransportPolicy) -> SessionError {
        SessionError(
            .misconfigured, explanation, underlying: ProviderReferenceError(provider: self, allowsInsecureLoopback: transport != .httpsOnly)
        )
    }
}

/// Names the provider that could not be used, for programs that suggest what to do about it.
package struct ProviderReferenceError: Error {
    package let provider: ProviderReference
    package let allowsInsecureLoopback: Bool
}

extension String {
    fileprivate var isURL: Bool { contains("://") }
}
