import AuthHubPrimitives
package import HTTPLoading
package import OAuthProtocol

/// Rejects requests of a chain, including redirects, to networks that an untrusted server must not reach. Connects to the IP address that
/// was checked, because the name may resolve to a different one the next time (DNS rebinding).
package struct ReachLoader: Loader {
    private let hosts: HostGuard

    /// The maximum number of a host's IP addresses to try, one after the other.
    private static let addressLimit = 4

    init(_ hosts: HostGuard) {
        self.hosts = hosts
    }

    /// - Parameters:
    ///   - host: The host, as in ``Origin``, that is always allowed; nil for none.
    ///   - dependencies: The dependencies whose resolver is used.
    package init(_ reach: HostPolicy, exempting host: String?, by dependencies: Dependencies) {
        self.init(HostGuard(reach, exempting: host, by: dependencies))
    }

    /// - Throws: ``LoadError`` with `.invalidRequest` if the host is not allowed; with `.cannotConnect` if the host has no IP address.
    package func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
        guard let origin = Origin(request.head) else { return try await next(request) }
        switch await hosts.verdict(on: origin) {
        case .allowed: return try await next(request)
        case .allowedAt(let addresses): return try await load(request, at: addresses.prefix(Self.addressLimit), next: next)
        case .unknownHost: throw LoadError(.cannotConnect, for: request, explanation: "no address was found for the host")
        case .outOfReach:
            let explanation =
                "the host is on this machine or in a private network, where requests for a resource, and those to hosts that other servers name, are not sent"
            throw LoadError(
                .invalidRequest, for: request, explanation: explanation,
                underlying: SessionError(.securityCheckFailed, "no request was sent to \(origin): \(explanation)"))
        }
    }

    private func load(_ request: LoadRequest, at addresses: ArraySlice<String>, next: Next) async throws(LoadError) -> LoadResponse {
        var failure = LoadError(.cannotConnect, for: request)
        for address in addresses {
            var pinned = request
            pinned.options[ConnectionAddress.self] = address
            do throws(LoadError) {
                return try await next(pinned)
            } catch {
                guard error.code == .cannotConnect, request.body.canBeSent else { throw error }
                failure = error
            }
        }
        throw failure
    }
}
