import AuthHubPrimitives

extension ProviderProfile {
    /// Whether the authorization requests of a sign-in are pushed.
    ///
    /// - Throws: ``OAuthError`` with `.configuration` if they must be pushed and the server has no usable endpoint (RFC 9126 §5).
    package func pushesAuthorizationRequests() throws(OAuthError) -> Bool {
        let isRequired = metadata?.members["require_pushed_authorization_requests"]?.bool ?? false
        let hasEndpoint = endpoints?.pushedAuthorization != nil
        switch pushedAuthorization {
        case .whenSupported where !isRequired: return hasEndpoint
        case .neverUnlessRequired where !isRequired: return false
        default:
            guard hasEndpoint else {
                let reason = isRequired ? "requires pushed authorization requests" : "is configured for pushed authorization requests"
                throw OAuthError(.configuration, "\(displayName) \(reason) but has no usable endpoint for them")
            }
            return true
        }
    }
}
