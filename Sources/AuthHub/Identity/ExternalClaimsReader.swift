import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import OAuthProtocol

/// Reads claims that other issuers vouch for.
struct ExternalClaimsReader: Sendable {
    /// The issuers that the program trusts.
    let issuers: [ProviderProfile]
    /// Whether claims at other servers may be fetched.
    let fetches: Bool
    /// The ID of the client that the claims must be for, if they have an audience.
    let clientID: String
    let transport: TransportPolicy
    let dependencies: Dependencies

    func read(_ source: ClaimSource) async throws(SessionError) -> ExternalClaims {
        let token: Secret<String>
        switch source.place {
        case .aggregated(let text): token = text
        case .distributed(let endpoint, let accessToken):
            guard fetches else { throw SessionError(.misconfigured, "the claims are at another server; allow fetching them") }
            token = try await fetch(endpoint, accessToken)
        }
        guard let name = ClaimSource.unverifiedIssuer(of: token), let issuer = issuers.first(where: { $0.issuer == name }) else {
            throw SessionError(.securityCheckFailed, "the claims are not signed, or their issuer is not trusted")
        }
        let backChannel = BackChannel(dependencies)
        let directory = ServerDirectory(issuer, clientID: "", tokenOrigins: [], forOpenID: true, backChannel: backChannel)
        let profile = try await directory.resolved(needing: [.jwks])
        // Not with the secret of the session's client, which only the provider may know.
        let keys = ServerKeys(backChannel: backChannel, message: .userInfo, isForStrangers: true)
        return try await keys.validate(at: profile) { keys throws(OAuthError) in
            try source.claims(in: token, keys: keys, from: profile, for: clientID, at: dependencies.now())
        }
    }

    /// Fetches claims from the endpoint that the provider named, which must be on the public internet. Only the source's own access token is
    /// sent.
    private func fetch(_ endpoint: String, _ accessToken: Secret<String>?) async throws(SessionError) -> Secret<String> {
        guard transport.allows(endpoint) else {
            throw SessionError(.securityCheckFailed, "the endpoint of a source of claims is not an https URL; no request was sent")
        }
        var guarded = dependencies
        // These loaders are for the authorization server, and may add secrets.
        guarded.serverLoaders = []
        let reach: HostPolicy = transport == .httpsOnly ? .publicHosts : .publicHostsAndLoopbackForDevelopment
        guarded.hostGuard = HostGuard(reach, exempting: nil, by: dependencies)
        let (head, body) = try await BackChannel(guarded).get(endpoint, accepting: "application/jwt", token: accessToken)
        guard head.status == .ok else {
            throw SessionError(.serverMisbehaved, "the endpoint of a source of claims responded \(head.status.code)")
        }
        return Secret(String(decoding: body.reveal(), as: UTF8.self))
    }
}
