public import OAuthProtocol

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What a person has to be shown to sign in on another device (RFC 8628 §3.3): a code, and where to enter it.
public struct DeviceCode: Sendable, Hashable {
    /// What the person enters, cleaned for display. Shown also where ``completeVerificationURI`` is: they compare it with the one that the
    /// page shows (RFC 8628 §3.3.1).
    public let userCode: String
    /// Where to enter it. A link or a QR code only where it is openable.
    public let verificationURI: VerificationURI
    /// The same with the code in it: for a QR code, where it is openable.
    public let completeVerificationURI: VerificationURI?
    /// When the sign-in ends by itself, by the wall clock: the code's end, or that of the session's time for a sign-in.
    public let expiresAt: Date

    /// What a program may open, or show as a QR code: the complete address, else the plain one; nil where neither may be.
    public var openableURI: VerificationURI? {
        [completeVerificationURI, verificationURI].lazy.compactMap(\.self).first(where: \.isOpenable)
    }
}

/// How a program shows codes.
struct DeviceCodePresentation: Sendable {
    let show: @Sendable (DeviceCode) async -> Void
    let dismiss: @Sendable (DeviceCode) async -> Void
}
