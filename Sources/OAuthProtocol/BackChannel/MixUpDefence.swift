import AuthHubPrimitives

/// The check that no server receives the code of another (RFC 9700 §4.4).
///
/// A malicious issuer can name an honest server's authorization endpoint together with its own token endpoint: the user then signs in at
/// the honest server, and the code and its verifier are sent to the malicious one. The `iss` parameter of responses prevents that (RFC
/// 9207). A redirect URI that only one issuer's clients have (RFC 9700 §4.4.2.2) does not: the malicious issuer can register it at an
/// honest server that registers any client, and return that client's ID as its own.
enum MixUpDefence {
    /// - Throws: ``OAuthError`` with `.unconfirmedEndpoints` if the server's metadata names an endpoint that gets the pushed request, the
    ///   code or tokens on a different origin than the authorization endpoint, does not promise `iss`, and nothing else shows that they belong
    ///   together: an endpoint set by the program, a user who has confirmed the issuer, or a built-in profile with the same origins.
    static func check(_ server: ProviderProfile) throws(OAuthError) {
        guard server.takesSignInEndpointsFromMetadata, !server.isConfirmed, let metadata = server.metadata,
            let endpoints = server.endpoints,
            let authorization = endpoints.authorization.flatMap(Origin.init(url:))
        else { return }
        let isPushed = (try? server.pushesAuthorizationRequests()) ?? false
        let pushed = isPushed ? endpoints.pushedAuthorization.flatMap(Origin.init(url:)) : nil
        // The request is pushed before a response can name its issuer.
        let expected = [authorization, metadata.promisesIssuerInResponse ? endpoints.token.flatMap(Origin.init(url:)) : nil]
        let tokens = metadata.promisesIssuerInResponse ? nil : endpoints.firstOriginThatGetsTokens(otherThan: authorization)
        guard let other = pushed.flatMap({ expected.contains($0) ? nil : $0 }) ?? tokens,
            !isBuiltIn(metadata.issuer, endpoints, \.authorization)
        else { return }
        throw OAuthError(
            .unconfirmedEndpoints,
            "according to the metadata of \(displayable(metadata.issuer, limit: 200)), the browser is sent to \(authorization), but the request, the "
                + "code or tokens are sent to \(other), and nothing shows that both belong to the server; "
                + "if they do, confirm the issuer or set the token endpoint yourself (RFC 9700 §4.4)")
    }

    /// The same for a sign-in on a device (RFC 8628). There, no response names its issuer, and no redirect URI distinguishes issuers.
    static func checkDevice(_ server: ProviderProfile) throws(OAuthError) {
        guard server.takesSignInEndpointsFromMetadata, !server.isConfirmed, server.endpointOverrides.deviceAuthorization == nil,
            let metadata = server.metadata,
            let endpoints = server.endpoints, let device = endpoints.deviceAuthorization.flatMap(Origin.init(url:)),
            let token = endpoints.token.flatMap(Origin.init(url:))
        else { return }
        // If the token endpoint is on the issuer's own origin, the issuer may use the tokens at any other endpoint.
        let other = token == Origin(url: metadata.issuer) ? token : endpoints.firstOriginThatGetsTokens(otherThan: device) ?? token
        guard other != device, !isBuiltIn(metadata.issuer, endpoints, \.deviceAuthorization) else { return }
        throw OAuthError(
            .unconfirmedEndpoints,
            "according to the metadata of \(displayable(metadata.issuer, limit: 200)), the device code comes from \(device), but the code or tokens "
                + "are sent to \(other); if both belong to the server, confirm the issuer or set the token endpoint yourself "
                + "(RFC 9700 §4.4)")
    }

    /// Returns the only origin that may get a sign-in's tokens, even if the metadata changes later; nil if the sign-in shows that they
    /// are the issuer's own, so that they may be sent to any of its endpoints.
    ///
    /// - Parameters:
    ///   - namesIssuer: Whether a response of the sign-in names its issuer if the server promises that.
    ///   - beginning: The endpoint that the sign-in uses first.
    static func soleOrigin(
        at server: ProviderProfile, namesIssuer: Bool = false, beginningAt beginning: KeyPath<Endpoints, String?>
    ) -> Origin? {
        guard server.takesSignInEndpointsFromMetadata, !server.isConfirmed, let metadata = server.metadata,
            let endpoints = server.endpoints,
            let token = endpoints.token.flatMap(Origin.init(url:)), token != Origin(url: metadata.issuer)
        else { return nil }
        if namesIssuer, metadata.promisesIssuerInResponse { return nil }
        return isBuiltIn(metadata.issuer, endpoints, beginning) ? nil : token
    }

    /// Whether a built-in profile of the issuer has the same origins for the token endpoint and for the endpoint that the sign-in uses first.
    private static func isBuiltIn(_ issuer: String, _ endpoints: Endpoints, _ beginning: KeyPath<Endpoints, String?>) -> Bool {
        ProviderProfile.builtIn.contains { known in
            guard let profile = try? known.profile(), profile.issuer?.hasSameBytes(as: issuer) ?? false, let own = profile.endpoints
            else { return false }
            return [beginning, \.token].allSatisfy {
                own[keyPath: $0].flatMap(Origin.init(url:)) == endpoints[keyPath: $0].flatMap(Origin.init(url:))
            }
        }
    }
}

extension Endpoints {
    fileprivate func firstOriginThatGetsTokens(otherThan origin: Origin) -> Origin? {
        [token, userInfo, revocation, introspection].lazy.compactMap { $0.flatMap(Origin.init(url:)) }.first { $0 != origin }
    }
}
