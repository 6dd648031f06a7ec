public import AuthHubPrimitives

/// Claims about the user for which an issuer other than the provider vouches (OpenID Connect Core 1.0 §5.6.2). Their signature has been
/// verified.
public struct ExternalClaims: Sendable, Hashable {
    /// The issuer that signed the claims, which is one of the trusted issuers.
    public let issuer: String
    /// The user's identifier at ``issuer``, which may differ from that at the provider; nil if the issuer names none.
    public let subject: String?
    /// The claims of this issuer that the provider refers to. They never include a claim that the provider states itself.
    public let claims: JSONObject
}
