extension Persona {
    /// An OpenID provider that strictly follows RFC 6749, RFC 7009, RFC 8414, RFC 9207 and OpenID Connect Core 1.0.
    public static let openID = {
        var persona = Self(
            name: "openid", addresses: Addresses(), scopes: ["openid", "profile", "email", "offline_access", "user", "repo"])
        persona.isOpenIDProvider = true
        persona.device = DeviceQuirks()
        persona.tokens.signsAccessTokensForResources = true
        return persona
    }()
}
