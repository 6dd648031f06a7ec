import AuthHubPrimitives

/// The check that no server receives the code of another (RFC 9700 §4.4).
///
/// A malicious issuer can name an honest server's authorization endpoint together with its own token endpoint: the user then signs in at
/// the honest server, and the code and its verifier are sent to the malicious one. The `iss` parameter of responses prevents that (RFC
/// 9207), and so does a redirect URI that only one issuer's clients have (RFC 9700 §4.4.2.2), because the honest server does not know it.
enum MixUpDefence {
    /// - Throws: ``OAuthError`` with `.unconfirmedEndpoints` if the server's metadata names the two endpoints on different origins, does not
    ///   promise `iss`, and nothing else shows that they belong together: an endpoint set by the program, a built-in profile with the same
    ///   origins, or a redirect URI of this issuer only.
    static func check(_ server: ProviderProfile, _ client: OAuthClient) throws(OAuthError) {
        guard server.takesSignInEndpointsFromMetadata, let metadata = server.metadata, !metadata.promisesIssuerInResponse,
            let endpoints = server.endpoints, let authorization = endpoints.authorization.flatMap(Origin.init(url:)),
            let token = endpoints.token.flatMap(Origin.init(url:)), authorization != token,
            !client.redirectURI.belongs(to: metadata.issuer), !isBuiltIn(metadata.issuer, authorization, token)
        else { return }
        throw OAuthError(
            .unconfirmedEndpoints,
            "the metadata of \(displayable(metadata.issuer, limit: 200)) leads the browser to \(authorization) and the code to \(token), "
                + "and does not promise that responses name their issuer; "
                + "if both belong to it, set the token endpoint yourself (RFC 9700 §4.4)")
    }

    private static func isBuiltIn(_ issuer: String, _ authorization: Origin, _ token: Origin) -> Bool {
        ProviderProfile.known.contains { known in
            guard let profile = try? known.profile(), profile.issuer?.hasSameBytes(as: issuer) ?? false else { return false }
            return profile.endpoints?.authorization.flatMap(Origin.init(url:)) == authorization
                && profile.endpoints?.token.flatMap(Origin.init(url:)) == token
        }
    }
}
