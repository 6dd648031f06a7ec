import AuthHubPrimitives
import OAuthProtocol

/// Decides which hosts that an untrusted server named may receive requests, and at which IP addresses.
struct HostGuard: Sendable {
    let reach: HostPolicy
    /// The host that is always allowed, such as the untrusted server's own; nil for none.
    let exemptHost: String?
    /// Returns the addresses of a host; if nil, only names are checked.
    let resolve: (@Sendable (_ host: String) async -> [String])?
    /// Whether connections to an origin are made from this machine, so that the addresses of its host are resolved here.
    let isDirect: @Sendable (_ origin: Origin) -> Bool

    init(_ reach: HostPolicy, exempting host: String?, by dependencies: Dependencies) {
        self.reach = reach
        exemptHost = host
        resolve = dependencies.addresses
        isDirect = dependencies.isDirect
    }

    enum Verdict: Sendable {
        /// The host is allowed; the transport resolves its name.
        case allowed
        /// The host is allowed at these addresses.
        case allowedAt([String])
        case unknownHost
        case outOfReach
    }

    /// Checks whether requests to a URL's origin are allowed, and at which IP addresses (RFC 9728 §7.7).
    func verdict(on origin: Origin) async -> Verdict {
        guard reach != .anyHostEvenInPrivateNetworks, origin.host != exemptHost else { return .allowed }
        guard reach.allows(origin.description) else { return .outOfReach }
        guard let resolve, !origin.host.hasPrefix("["), isDirect(origin) else { return .allowed }
        let addresses = await resolve(origin.host)
        guard !addresses.isEmpty else { return .unknownHost }
        return addresses.allSatisfy { reach.allows(address: $0) } ? .allowedAt(addresses) : .outOfReach
    }
}
