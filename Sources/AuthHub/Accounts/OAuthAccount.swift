public import CredentialStorage
package import OAuthProtocol
public import Platform

/// An account that is stored. Contains no secret.
public struct OAuthAccount: Sendable {
    /// The content of the account's record.
    package enum Content: Sendable {
        /// The record has tokens. ``OAuthAccount/status(at:)`` returns whether they are still valid.
        case signedIn(SessionState.SignedIn)
        /// The record is damaged, or a newer program wrote it. Signing in again replaces it.
        case unreadable(SessionError)
    }

    /// The account's server, client and label.
    public let account: CredentialAccount
    /// The content of the account's record.
    package let content: Content
    /// The time the refresh token expires; nil if there is none, or if the server did not say.
    package let refreshTokenExpiresAt: Date?
    /// The verified ID token; nil if the sign-in has none, or if the record cannot be read.
    package var identity: IDToken?
    /// The user whom the tokens belong to; nil if it is not known, or if the record cannot be read.
    package var user: SignedInUser?

    /// The label, which distinguishes accounts of the same client at the same server.
    public var label: String { account.label }

    /// The expiry and scope of the tokens; nil if the record cannot be read.
    public var signedIn: SessionState.SignedIn? {
        if case .signedIn(let facts) = content { facts } else { nil }
    }
}

extension OAuthAccount {
    /// Whether the tokens of an account can be used, according to the stored record.
    public enum Status: Sendable, Hashable {
        /// The access token is valid, or the server did not say when it expires.
        case signedIn
        /// The access token has expired, but the next request can refresh it without the user.
        case renewable
        /// The access token has expired, and there is no valid refresh token: the user has to sign in again.
        case expired
        /// The record is damaged, or a newer program wrote it. Signing in again replaces it.
        case unreadable
    }

    /// Returns the account's status at the given time. Does not ask the server, which may have revoked the tokens.
    public func status(at now: Date) -> Status {
        guard let signedIn else { return .unreadable }
        guard let expiresAt = signedIn.expiresAt, expiresAt <= now else { return .signedIn }
        return isRenewable(at: now) ? .renewable : .expired
    }

    /// Returns whether there is a refresh token that has not expired.
    package func isRenewable(at now: Date) -> Bool {
        (signedIn?.isRenewable ?? false) && refreshTokenExpiresAt.map { now < $0 } ?? true
    }
}
