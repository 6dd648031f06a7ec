import AuthHubPrimitives

extension Persona {
    /// What a server requires of the tokens that clients sign to authenticate (RFC 7523 §3).
    package struct AssertionRules: Sendable, Hashable {
        /// The URLs that the tokens may be for.
        package enum Audience: Sendable, Hashable {
            /// The issuer or the token endpoint, even in an array with others (OpenID Connect Core 1.0 §9).
            case any
            /// Only this URL, as a string.
            case issuer, tokenEndpoint
        }

        /// The URLs that the tokens may be for.
        package var audience = Audience.any
        /// Whether the tokens may have a `typ`.
        package var acceptsType = true
        /// The accepted signature algorithms.
        package var algorithms = ["ES256", "RS256", "PS256", "EdDSA", "HS256"]

        /// Creates the rules of a server that follows RFC 7523.
        package init() {}
    }

    /// What is wrong with the server's identity assertions.
    package enum IdentityAssertionFlaw: Sendable, Hashable {
        case otherAudience, severalAudiences, otherClient, otherType, expired
    }
}
