public import AuthHubPrimitives

/// Claims about the user that another issuer than the provider vouches for (OpenID Connect Core 1.0 §5.6.2). Their signature has passed every
/// check.
public struct ExternalClaims: Sendable, Hashable {
    /// The issuer that signed the claims. It is one of the trusted ones.
    public let issuer: String
    /// The user's identifier at ``issuer``, which may differ from that at the provider; nil if the issuer names none.
    public let subject: String?
    /// The claims that the provider says this issuer has. They never include a claim that the provider states itself.
    public let claims: JSONObject
}
