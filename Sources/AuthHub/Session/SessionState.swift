public import OAuthProtocol

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What people may be shown of a session. Holds no secret.
public enum SessionState: Sendable, Hashable {
    /// The store was not read yet.
    case unknown
    case signedOut
    case signingIn
    case signedIn(SignedIn)
    case signingOut

    /// Facts about a signed-in account.
    public struct SignedIn: Sendable, Hashable {
        /// When the access token ends; nil where the server did not say.
        public let expiresAt: Date?
        /// Whether it will be renewed without the person.
        public let isRenewable: Bool
        /// What was granted, which may be less than was asked for.
        public let scope: Scope
    }
}

extension SessionState.SignedIn {
    init(_ credential: Credential) {
        self.init(
            expiresAt: credential.expiresAt, isRenewable: credential.refreshToken != nil, scope: credential.scope)
    }
}
