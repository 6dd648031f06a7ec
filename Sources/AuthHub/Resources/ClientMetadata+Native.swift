package import OAuthProtocol
package import Platform

extension ClientMetadata {
    /// The metadata of a program that users install, for one issuer: with a method of authentication that the server lists, preferably
    /// without a secret.
    ///
    /// - Parameters:
    ///   - port: The port of the redirect URI; nil for four fixed ports, which depend only on the issuer: some servers compare the port, and
    ///     one may be in use.
    ///   - scope: All that the client will ever request, because some servers grant nothing else.
    package static func native(
        _ name: String, at provider: ProviderProfile, issuer: String, port: UInt16? = nil, scope: Scope?
    ) -> Self {
        var redirectURIs = [RedirectURI.loopback(forClientsOf: issuer)]
        if case .loopback(_, let path) = redirectURIs[0].kind {
            redirectURIs = (port.map { [$0] } ?? usualPorts(path)).map { .loopback(port: $0, path: path) }
        }
        var metadata = Self(nativeProgram: name, redirectURIs: redirectURIs, scope: scope)
        // For machines without a browser.
        let device = "urn:ietf:params:oauth:grant-type:device_code"
        if provider.metadata?.grantTypes?.contains(device) ?? false { metadata.grantTypes = (metadata.grantTypes ?? []) + [device] }
        let listed = provider.metadata?.tokenEndpointAuthenticationMethods
        let known = (listed ?? []).map(ClientAuthenticationMethod.init(rawValue:)).filter { [.none, .basic, .post].contains($0) }
        // In the server's order: some servers that list two methods with a secret accept only the first.
        metadata.tokenEndpointAuthenticationMethod =
            known.contains(.none) ? ClientAuthenticationMethod.none : known.first ?? ClientAuthenticationMethod.none
        return metadata
    }

    /// Returns four ports that depend only on the path, below the range that systems assign to outgoing connections.
    private static func usualPorts(_ path: String) -> [UInt16] {
        let sum = path.utf8.reduce(into: UInt32(0)) { $0 = $0 &* 31 &+ UInt32($1) }
        return (0..<4).map { UInt16(20_000 + (sum &+ $0 &* 3_001) % 12_000) }
    }
}

extension ClientRegistration {
    /// Whether the client can be used at the server, and may request a scope.
    package func isUsable(for scope: Scope?, at server: ProviderProfile, at now: Date) -> Bool {
        let isAllowed = metadata.scope.map { $0.missing(from: scope ?? []).isEmpty } ?? true
        return isAllowed && (try? checkUse(at: server, at: now)) != nil
    }

    /// The redirect URIs to use if the port of one is in use: the others that are registered, then one with any port, which most servers
    /// accept (RFC 8252 §7.3).
    package func redirectURIs(insteadOf usual: RedirectURI) -> [RedirectURI] {
        guard case .loopback(1..., let path) = usual.kind else { return [] }
        return (metadata.redirectURIs ?? []).compactMap { RedirectURI($0) }.filter { $0 != usual } + [.loopback(path: path)]
    }
}
