public import AuthHubPrimitives

/// The source of the key of an ``EncryptedFileStore``.
///
/// A store asks when it first needs the key, and keeps the result. It asks again if the key does not decrypt a record, and before the
/// first record of an account if no other record shows that the key is still the store's.
public protocol StoreKeySource: Sendable {
    /// Returns the key: at least 16 bytes that cannot be guessed.
    ///
    /// May block for long, while the user or a service is asked, but not forever: the call cannot be cancelled. A store calls it from a
    /// thread that may be blocked, and never concurrently.
    ///
    /// - Parameter creatingIfMissing: Whether to create a key, durably, if there is none. All concurrent callers, in all processes, get
    ///   the same key.
    /// - Returns: Nil if there is no key and none was created.
    func key(creatingIfMissing: Bool) throws(CredentialStoreError) -> Secret<[UInt8]>?
}
