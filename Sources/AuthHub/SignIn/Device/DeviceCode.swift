public import OAuthProtocol

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What the user needs to sign in on another device (RFC 8628 §3.3): a code, and the URL of the page to enter it on.
public struct DeviceCode: Sendable, Hashable {
    /// The code that the user enters, cleaned for display. Show it even if you show ``completeVerificationURI``: the user compares it with
    /// the one on the page (RFC 8628 §3.3.1).
    public let userCode: String
    /// The URL of the page. Show it as a link or a QR code only if it is openable.
    public let verificationURI: VerificationURI
    /// The URL of the page with the code in it, for a QR code if it is openable; nil if the server returned none.
    public let completeVerificationURI: VerificationURI?
    /// The time the sign-in times out, by the wall clock: when the code expires, or earlier if the configuration's `signInTimeout` is over.
    public let expiresAt: Date

    /// The URL that a program may open, or show as a QR code: the complete one, otherwise the plain one; nil if neither is openable.
    public var openableURI: VerificationURI? {
        [completeVerificationURI, verificationURI].lazy.compactMap(\.self).first(where: \.isOpenable)
    }
}

/// The functions by which a program shows codes.
struct DeviceCodePresentation: Sendable {
    let show: @Sendable (DeviceCode) async -> Void
    let dismiss: @Sendable (DeviceCode) async -> Void
}
