/// Where a provider differs from the specifications, as data; everything has the value that the specifications ask for.
///
/// The code that makes and reads messages knows no provider: it does what is said here.
public struct ProviderHabits: Sendable, Hashable {
    public var authorization = AuthorizationHabits()
    public var requests = RequestHabits()
    public var answers = AnswerHabits()
    public var discovery = DiscoveryHabits()
    public var identity = IdentityHabits()
    public var api = APIHabits()
    public var refreshTokens = RefreshTokens.asIssued
    public var registration = RegistrationFacts()

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
    public struct DiscoveryHabits: Sendable, Hashable {
        /// Takes up to three redirects to the metadata document, which RFC 8414 §3.2 does not know, to https addresses alone.
        public var followsRedirectsOfMetadata = false
        /// An issuer with a part that differs by tenant, which stands in braces: `https://login.example/{tenantid}/v2.0`. Metadata whose
        /// issuer has this very text, or one with the part filled in, is taken for that of the asked issuer.
        public var issuerTemplate: String?

        public init() {}
    }

    /// What is known of the provider's ID tokens: data for programs that judge them.
    public struct IdentityHabits: Sendable, Hashable {
        public enum Nonce: String, Sendable, Hashable, CaseIterable {
            /// As OpenID Connect Core 1.0 §3.1.3.7 asks.
            case required
            /// May be missing although one was sent.
            case mayBeMissing = "may_be_missing"
            /// May be the empty text where none was sent.
            case mayBeEmpty = "may_be_empty"
        }

        public var nonce = Nonce.required
        /// The signature algorithms that are taken, in place of those of the metadata.
        public var algorithms: [String]?

        public init() {}
    }

    /// What every request to the provider's API needs besides the token.
    public struct APIHabits: Sendable, Hashable {
        /// Header fields by name, `{client_id}` in a value standing for the client's id; one that a request has already stays.
        public var headers: [String: String] = [:]

        public init() {}
    }
}

/// A value that is copied only when it is changed, and shared until then: profiles are large, and held by many.
struct Shared<Value: Sendable>: Sendable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    init(_ value: Value) { box = Box(value) }

    var value: Value {
        get { box.value }
        set { box = Box(newValue) }
    }
}

extension Shared<ProviderHabits> {
    /// What all profiles without habits share.
    static let standard = Self(ProviderHabits())
}
