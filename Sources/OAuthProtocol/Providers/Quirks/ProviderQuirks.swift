/// Where a provider differs from the specifications, as data; everything has the value that the specifications ask for.
///
/// The code that makes and reads messages knows no provider: it does what is said here.
public struct ProviderQuirks: Sendable, Hashable {
    /// How authorization requests are made.
    public var authorization = AuthorizationQuirks()
    /// How requests to endpoints for machines are made.
    public var requests = RequestQuirks()
    /// How their answers are read.
    public var answers = AnswerQuirks()
    /// How metadata are read.
    public var discovery = DiscoveryQuirks()
    /// What ID tokens are like.
    public var identity = IdentityQuirks()
    /// What requests to the API need.
    public var api = APIQuirks()
    /// What refresh tokens there are.
    public var refreshTokens = RefreshTokens.asIssued
    /// What a person has to know to register a client.
    public var registration = RegistrationGuide()

    public init() {}

    /// Whether there are refresh tokens, and how long each is good: for people and programs that plan; what a server issues is taken
    /// as it comes.
    public enum RefreshTokens: String, Sendable, Hashable, CaseIterable {
        /// Whatever the server gives.
        case asIssued = "as_issued"
        /// Each is used once, and its answer brings the next.
        case rotated
        /// One stays good until it is revoked.
        case kept
        /// There are none: the person signs in again.
        case none
    }

    /// How the server's metadata is read.
    public struct DiscoveryQuirks: Sendable, Hashable {
        /// Takes up to three redirects to the metadata document, which RFC 8414 §3.2 does not know, to https addresses alone.
        public var followsRedirectsOfMetadata = false
        /// An issuer with a part that differs by tenant, which stands in braces: `https://login.example/{tenantid}/v2.0`. Metadata whose
        /// issuer has this very text, or one with the part filled in, is taken for that of the asked issuer.
        public var issuerTemplate: String?

        public init() {}
    }

    /// What is known of the provider's ID tokens: data for programs that judge them.
    public struct IdentityQuirks: Sendable, Hashable {
        /// What is in the `nonce` of an ID token.
        public enum Nonce: String, Sendable, Hashable, CaseIterable {
            /// As OpenID Connect Core 1.0 §3.1.3.7 asks.
            case required
            /// May be missing although one was sent.
            case mayBeMissing = "may_be_missing"
            /// May be the empty text where none was sent.
            case mayBeEmpty = "may_be_empty"
        }

        /// What is in it here.
        public var nonce = Nonce.required
        /// The signature algorithms that are taken, in place of those of the metadata.
        public var algorithms: [String]?

        public init() {}
    }

    /// What every request to the provider's API needs besides the token.
    public struct APIQuirks: Sendable, Hashable {
        /// Header fields by name, `{client_id}` in a value standing for the client's id; one that a request has already stays.
        public var headers: [String: String] = [:]

        public init() {}
    }
}
