public import OAuthProtocol
public import Platform

/// The information that the user needs to sign in on another device (RFC 8628 §3.3): a code, and the URL of the page on which to enter it.
public struct DeviceCode: Sendable, Hashable {
    /// The code that the user enters, sanitized for display. Show it even if you show ``completeVerificationURI``, because the user
    /// compares it with the code on the page (RFC 8628 §3.3.1).
    public let userCode: String
    /// The URL of the page. Show it as text; for a link or a QR code, use ``openableURI``.
    public let verificationURI: VerificationURI
    /// The URL of the page that already contains the code; nil if the server returned none. For a QR code, use ``openableURI``.
    public let completeVerificationURI: VerificationURI?
    /// The time at which the sign-in times out, by the wall clock: when the code expires or the configuration's `signInTimeout` is over,
    /// whichever is earlier.
    public let expiresAt: Date

    /// The URL to open or to show as a QR code: ``completeVerificationURI``, or else ``verificationURI``; nil if neither is safe to open.
    public var openableURI: VerificationURI? {
        [completeVerificationURI, verificationURI].lazy.compactMap(\.self).first(where: \.isOpenable)
    }
}

/// The functions by which a program shows codes.
struct DeviceCodePresentation: Sendable {
    let show: @Sendable (DeviceCode) async -> Void
    let dismiss: @Sendable (DeviceCode) async -> Void
}
