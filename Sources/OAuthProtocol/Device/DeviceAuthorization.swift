public import AuthHubPrimitives

/// What a server answers to a ``DeviceAuthorizationRequest`` (RFC 8628 §3.2), after every check: a code for a person, and one for the
/// program that waits.
public struct DeviceAuthorization: Sendable {
    /// What the token endpoint is asked with. Never shown.
    public let deviceCode: Secret<String>
    /// What the person enters, cleaned for display: no control, format or bidirectional characters.
    public let userCode: String
    /// Where the person enters it, cleaned for display.
    public let verificationURI: VerificationURI
    /// The same with the code in it. Where it is used, ``userCode`` is shown too, for the person to compare (RFC 8628 §3.3.1).
    public let completeVerificationURI: VerificationURI?
    /// For how long the codes are good, from the answer on; at most 2³¹ seconds.
    public let lifetime: Duration
    /// How long to wait between two polls at least.
    public let interval: Duration
    /// What was wrong with the answer, and did not matter. For logs.
    public let diagnostics: [String]
    /// The scope that was asked for.
    public let scope: Scope
    let members: Secret<JSONObject>

    /// A member of the answer as it came, for what providers add.
    public func member(_ name: String) -> Secret<JSONValue>? {
        members.reveal()[name].map(Secret.init)
    }
}

/// An address that a server wants a person to open.
public struct VerificationURI: Sendable, Hashable {
    /// As it came, cleaned for display, at most 2000 characters.
    public let text: String
    /// Whether a program may open it, or show it as a link or a QR code: an https URL without user information, in visible ASCII. One of
    /// http on this machine where the provider's transport policy excepts that. Any other is for people to read.
    public let isOpenable: Bool

    init(_ text: String, transport: TransportPolicy) {
        self.text = displayable(text, limit: Self.limit)
        isOpenable = transport.allows(String(text.prefix { $0 != "#" })) && RequestTarget(text) != nil && text.utf8.count <= Self.limit
    }

    private static let limit = 2000
}

extension VerificationURI: CustomStringConvertible {
    public var description: String { text }
}
