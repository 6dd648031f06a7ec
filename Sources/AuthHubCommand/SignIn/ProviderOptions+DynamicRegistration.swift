import AuthHub
import CredentialStorage
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ProviderOptions {
    /// Registers a client for sign-ins that begin at a resource, and stores it for all that use the same server (RFC 7591).
    ///
    /// - Returns: nil if the server does not let clients register themselves.
    func register(
        _ draft: AccountSettings, for resource: LoginResource, in book: RegistrationBook, _ console: Console
    ) async throws(Failure) -> ClientRegistration? {
        var settings = draft
        resource.bind(&settings)
        let profile = try Failure.translating { try settings.profile() }
        let server = AuthorizationServer(profile, dependencies: ToolNetwork.current.dependencies(for: settings))
        let issuer = settings.provider.name
        do {
            let provider = try await server.provider(needing: [.registration])
            guard provider.endpoints?.registration != nil else { return nil }
            let registration = try await server.register(
                .ofThisTool(at: provider, issuer: issuer, port: port, scope: resource.registrableScope))
            do throws(Failure) {
                try await book.save(registration, at: issuer)
            } catch {
                // Otherwise, no one could ever use or delete it.
                try? await server.delete(registration)
                throw error
            }
            let report = RegistrationReport(issuer: issuer, registration: registration)
            report.warn(on: console)
            console.say(
                "Registered the client \(report.clientID) at \(issuer); authhub client show \(issuer.shellWord)\(loopback.suffix) describes it."
            )
            return registration
        } catch let error as SessionError {
            throw Failure(error, registering: issuer.shellWord)
        } catch {
            throw Failure(cause: error)
        }
    }
}

extension ClientMetadata {
    /// The metadata of this tool: a native program, with a method that the server lists, preferably without a secret.
    ///
    /// - Parameter port: The port of the redirect URI; nil for one that is always the same for an issuer, because some servers compare it.
    fileprivate static func ofThisTool(at provider: ProviderProfile, issuer: String, port: UInt16?, scope: Scope?) -> Self {
        var redirectURI = RedirectURI.loopback(forClientsOf: issuer)
        if case .loopback(_, let path) = redirectURI.kind { redirectURI = .loopback(port: port ?? usualPort(path), path: path) }
        var metadata = Self(nativeProgram: "AuthHub", redirectURIs: [redirectURI], scope: scope)
        let listed = provider.metadata?.tokenEndpointAuthenticationMethods
        let known = (listed ?? []).map(ClientAuthenticationMethod.init(rawValue:)).filter { [.none, .basic, .post].contains($0) }
        // In the server's order: some that list both methods with a secret accept only the first of them in practice.
        metadata.tokenEndpointAuthenticationMethod =
            known.contains(.none) ? ClientAuthenticationMethod.none : known.first ?? ClientAuthenticationMethod.none
        return metadata
    }

    /// A port below those that systems assign to other connections.
    private static func usualPort(_ path: String) -> UInt16 {
        let sum = path.utf8.reduce(into: UInt32(0)) { $0 = $0 &* 31 &+ UInt32($1) }
        return UInt16(20_000 + sum % 12_000)
    }
}

extension ClientRegistration {
    /// Whether the client can still authenticate, and may request a scope.
    func isUsable(for scope: Scope?, at now: Date) -> Bool {
        let isAllowed = metadata.scope.map { $0.missing(from: scope ?? []).isEmpty } ?? true
        return isAllowed && clientSecretExpiresAt.map { $0 > now } ?? true
    }
}
