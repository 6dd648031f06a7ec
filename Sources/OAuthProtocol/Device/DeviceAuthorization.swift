package import AuthHubPrimitives

/// The response to a ``DeviceAuthorizationRequest`` (RFC 8628 §3.2), after every check: a code for the user, and one for the program
/// that polls.
package struct DeviceAuthorization: Sendable {
    /// The code for polling the token endpoint. Never shown.
    package let deviceCode: Secret<String>
    /// The code that the user enters, cleaned for display: no control, format or bidirectional characters.
    package let userCode: String
    /// The page where the user enters the code, cleaned for display.
    package let verificationURI: VerificationURI
    /// The page's URL with the code in it. If you use it, also show ``userCode`` for the user to compare (RFC 8628 §3.3.1).
    package let completeVerificationURI: VerificationURI?
    /// How long the codes are valid from the response on; at most 2³¹ seconds.
    package let lifetime: Duration
    /// The shortest time between two polls.
    package let interval: Duration
    /// The irregularities of an accepted response, as log messages.
    package let diagnostics: [String]
    /// The requested scope.
    package let scope: Scope
    let members: Secret<JSONObject>

    /// Returns a member of the response as received, for members that providers add.
    package func member(_ name: String) -> Secret<JSONValue>? {
        members.reveal()[name].map(Secret.init)
    }
}

/// A URL that the server asks the user to open (RFC 8628 §3.2).
public struct VerificationURI: Sendable, Hashable {
    /// The URL as text that is safe to display, at most 2,000 characters.
    public let text: String
    /// Whether a program may open the URL, or show it as a link or a QR code: an https URL without user information, in visible ASCII, or
    /// http on loopback if the provider's transport policy allows it. Show any other only as text.
    package let isOpenable: Bool

    init(_ text: String, transport: TransportPolicy) {
        self.text = displayable(text, limit: Self.limit)
        isOpenable = transport.allows(String(text.prefix { $0 != "#" })) && RequestTarget(text) != nil && text.utf8.count <= Self.limit
    }

    private static let limit = 2000
}

extension VerificationURI: CustomStringConvertible {
    public var description: String { text }
}
