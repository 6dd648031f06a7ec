public import CredentialStorage

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// An account as it stands in a store. Holds no secret.
public struct OAuthAccount: Sendable {
    /// What is known of it.
    public enum Content: Sendable {
        /// There are tokens; whether they are still good, ``OAuthAccount/status(at:)`` tells.
        case signedIn(SessionState.SignedIn)
        /// The record is damaged, or a newer program wrote it. Signing in again replaces it.
        case unreadable(SessionError)
    }

    /// Server, client and label.
    public let account: CredentialAccount
    public let content: Content
    /// When the refresh token ends; nil where there is none, or the server did not say.
    public let refreshTokenExpiresAt: Date?

    /// Tells it apart from other accounts of the same server and client.
    public var label: String { account.label }

    /// Facts about the tokens; nil where the record is unreadable.
    public var signedIn: SessionState.SignedIn? {
        if case .signedIn(let facts) = content { facts } else { nil }
    }
}

extension OAuthAccount {
    /// How an account stands, as far as its record tells.
    public enum Status: Sendable, Hashable {
        /// The access token lives, or the server did not say for how long.
        case signedIn
        /// The access token has ended, and whoever needs one renews it without the person.
        case renewable
        /// The access token has ended, and there is no refresh token, or it has ended, too: the person has to sign in again.
        case ended
        /// The record cannot be read: ``OAuthAccount/Content/unreadable(_:)``.
        case unreadable
    }

    /// How the account stands at an instant of the wall clock. The server is not asked; it may have revoked the tokens.
    public func status(at now: Date) -> Status {
        guard let signedIn else { return .unreadable }
        guard let expiresAt = signedIn.expiresAt, expiresAt <= now else { return .signedIn }
        return isRenewable(at: now) ? .renewable : .ended
    }

    /// Whether there is a refresh token that has not ended.
    public func isRenewable(at now: Date) -> Bool {
        (signedIn?.isRenewable ?? false) && refreshTokenExpiresAt.map { now < $0 } ?? true
    }
}
