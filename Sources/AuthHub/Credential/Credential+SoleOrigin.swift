import AuthHubPrimitives
import OAuthProtocol

extension Credential {
    /// Checks that the tokens may be sent to an endpoint, if the server has it.
    ///
    /// - Throws: ``SessionError`` with `.securityCheckFailed` if the endpoint is not on the only origin that may get them (RFC 9700 §4.4).
    func checkEndpoint(_ name: Endpoints.Name, of profile: ProviderProfile) throws(SessionError) {
        guard let soleOrigin, let endpoint = profile.endpoints?[name], Origin(url: endpoint) != soleOrigin else { return }
        throw SessionError(
            .securityCheckFailed,
            "the server's metadata names the endpoint \(displayable(endpoint, limit: 200)), but the tokens were issued by \(soleOrigin) and are "
                + "not sent to other servers; if the server has moved, sign in again; if both belong to the same server, set the token endpoint yourself (RFC 9700 §4.4)"
        )
    }

    /// Whether requests to an origin may carry the access token.
    ///
    /// - Parameter allowed: Origins that the program named itself.
    func mayBeSent(to origin: @autoclosure () -> Origin?, alsoAllowing allowed: @autoclosure () -> Set<Origin>) -> Bool {
        guard let soleOrigin else { return true }
        return origin().map { $0 == soleOrigin || allowed().contains($0) } ?? false
    }
}
