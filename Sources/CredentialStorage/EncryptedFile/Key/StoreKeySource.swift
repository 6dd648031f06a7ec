public import AuthHubPrimitives

/// A source for the key of an ``EncryptedFileStore``.
///
/// A store asks when it first needs the key, and caches the response. It asks again if a record does not open with the key, and before the
/// first record of an account if no other record confirms that the key is still the store's key.
public protocol StoreKeySource: Sendable {
    /// Returns the key: at least 16 bytes that cannot be guessed.
    ///
    /// May block for long while a user or a service is asked, but not forever: the call cannot be cancelled. A store calls it from a thread
    /// that may be blocked, and never concurrently; ``EncryptedFileStore/readNow(_:)`` calls it from the caller's thread.
    ///
    /// - Parameter creatingIfMissing: Whether to create a missing key, durably. Concurrent callers, in all processes, get the same key.
    /// - Returns: nil if there is no key and none should be created.
    func key(creatingIfMissing: Bool) throws(CredentialStoreError) -> Secret<[UInt8]>?
}
