package import AuthHubPrimitives
package import Platform

/// The access token of a stored record, for programs that hand it on and need nothing else of a session.
package struct CachedToken: Sendable {
    package let value: Secret<String>

    /// - Returns: nil unless the record is complete and a session would use its token now without refreshing it.
    package init?(record: Secret<[UInt8]>, freshAt now: Date) {
        guard let credential = try? Credential(record: record), credential.isFresh(at: now) else { return nil }
        value = credential.accessToken
    }
}
