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
        /// There are tokens; whether they are still good, ``OAuthAccount/standing(at:)`` tells.
        case signedIn(SessionState.SignedIn)
        /// The record is damaged, or a newer program wrote it. Signing in again replaces it.
        case unreadable(SessionError)
    }

    /// Server, client and label.
    public let account: CredentialAccount
    public let content: Content

    public var label: String { account.label }

    /// nil where the record is unreadable.
    public var signedIn: SessionState.SignedIn? {
        if case .signedIn(let facts) = content { facts } else { nil }
    }
}

extension OAuthAccount {
    /// How an account stands, as far as its record tells.
    public enum Standing: Sendable, Hashable {
        /// The access token lives, or the server did not say for how long.
        case signedIn
        /// The access token has ended, and whoever needs one renews it without the person.
        case renewable
        /// The access token has ended, and there is no refresh token: the person has to sign in again.
        case ended
        /// The record cannot be read: ``OAuthAccount/Content/unreadable(_:)``.
        case unreadable
    }

    /// How the account stands at an instant of the wall clock. The server is not asked; it may have revoked the tokens.
    public func standing(at now: Date) -> Standing {
        guard let signedIn else { return .unreadable }
        guard let expiresAt = signedIn.expiresAt, expiresAt <= now else { return .signedIn }
        return signedIn.isRenewable ? .renewable : .ended
    }
}
