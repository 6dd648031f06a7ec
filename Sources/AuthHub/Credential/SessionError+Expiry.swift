#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension SessionError {
    /// The user has to sign in again, because the credential has expired or cannot be refreshed.
    static func unrefreshable(_ credential: Credential, at now: Date) -> Self {
        guard let end = credential.expiresAt, end <= now else {
            return Self(.signInNeeded, "the access token cannot be refreshed, because there is no refresh token")
        }
        return Self(
            .signInNeeded, "the sign-in has expired: the access token was valid until \(end.formatted(.iso8601)) and cannot be refreshed")
    }
}
