import AuthHub
import CredentialStorage
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ProviderOptions {
    /// Changes the redirect URI of a client that the tool has registered to one whose port is free.
    func chooseFreePort(of settings: inout AccountSettings, in book: RegistrationBook) async {
        guard port == nil, callback == nil, settings.resource != nil,
            case .loopback(let usual, let path) = settings.client.redirectURI.kind, usual != 0, SocketProbe.isTaken(port: usual),
            let registration = (try? await book.registration(at: settings.provider.name)) ?? nil,
            registration.clientID.hasSameBytes(as: settings.client.id)
        else { return }
        let others = (registration.metadata.redirectURIs ?? []).compactMap { RedirectURI($0) }
        let free = others.first { other in
            if case .loopback(let port, _) = other.kind, port != 0 { !SocketProbe.isTaken(port: port) } else { false }
        }
        // Most servers ignore the port (RFC 8252 §7.3).
        settings.client.redirectURI = free ?? .loopback(path: path)
    }

    /// Registers a client for sign-ins that begin at a resource, and stores it for all accounts at the server (RFC 7591).
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
            // A host may start several processes at once.
            let lease = try await book.lease(of: issuer)
            let outcome = await registration(at: server, provider, for: resource, in: book)
            await lease.release()
            let (registration, isNew) = try outcome.get()
            guard isNew else { return registration }
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

extension ProviderOptions {
    /// Returns the client that another process has registered in the meantime, or registers one.
    private func registration(
        at server: AuthorizationServer, _ provider: ProviderProfile, for resource: LoginResource, in book: RegistrationBook
    ) async -> Result<(ClientRegistration, isNew: Bool), any Error> {
        do {
            if let registered = try await book.registration(at: resource.issuer),
                registered.isUsable(for: resource.protection.scope, at: Date())
            {
                return .success((registered, isNew: false))
            }
            let registration = try await server.register(
                .ofThisTool(at: provider, issuer: resource.issuer, port: port, scope: resource.registrableScope))
            do throws(Failure) {
                try await book.save(registration, at: resource.issuer)
            } catch {
                // Otherwise, no one could ever use or delete it.
                try? await server.delete(registration)
                throw error
            }
            return .success((registration, isNew: true))
        } catch {
            return .failure(error)
        }
    }
}

extension ClientMetadata {
    /// The metadata of this tool: a native program, with a method that the server lists, preferably without a secret.
    ///
    /// - Parameter port: The port of the redirect URI; nil for several that are always the same for an issuer, because some servers compare
    ///   them, and one may be in use.
    fileprivate static func ofThisTool(at provider: ProviderProfile, issuer: String, port: UInt16?, scope: Scope?) -> Self {
        var redirectURIs = [RedirectURI.loopback(forClientsOf: issuer)]
        if case .loopback(_, let path) = redirectURIs[0].kind {
            redirectURIs = (port.map { [$0] } ?? usualPorts(path)).map { .loopback(port: $0, path: path) }
        }
        var metadata = Self(nativeProgram: "AuthHub", redirectURIs: redirectURIs, scope: scope)
        let listed = provider.metadata?.tokenEndpointAuthenticationMethods
        let known = (listed ?? []).map(ClientAuthenticationMethod.init(rawValue:)).filter { [.none, .basic, .post].contains($0) }
        // In the server's order: some servers that list two methods with a secret accept only the first.
        metadata.tokenEndpointAuthenticationMethod =
            known.contains(.none) ? ClientAuthenticationMethod.none : known.first ?? ClientAuthenticationMethod.none
        return metadata
    }

    /// Ports below those that systems assign to other connections.
    private static func usualPorts(_ path: String) -> [UInt16] {
        let sum = path.utf8.reduce(into: UInt32(0)) { $0 = $0 &* 31 &+ UInt32($1) }
        return (0..<4).map { UInt16(20_000 + (sum &+ $0 &* 3_001) % 12_000) }
    }
}

extension ClientRegistration {
    /// Whether the client can still authenticate, and may request a scope.
    func isUsable(for scope: Scope?, at now: Date) -> Bool {
        let isAllowed = metadata.scope.map { $0.missing(from: scope ?? []).isEmpty } ?? true
        return isAllowed && clientSecretExpiresAt.map { $0 > now } ?? true
    }
}
