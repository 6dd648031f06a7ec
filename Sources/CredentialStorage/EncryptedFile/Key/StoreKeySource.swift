public import AuthHubPrimitives

/// The source of the key of an ``EncryptedFileStore``.
///
/// A store requests the key when it first needs it, and caches the result. If the cached key does not decrypt a record, the store requests
/// the key again. The store also requests it again before writing the first record of an account, unless another record proves that the
/// cached key is still correct.
public protocol StoreKeySource: Sendable {
    /// Returns the key: at least 16 bytes that cannot be guessed.
    ///
    /// May block for a long time while the user or a service is asked, but not forever, because the call cannot be cancelled. A store calls
    /// this method on a thread that may block, and never concurrently.
    ///
    /// - Parameter creatingIfMissing: Whether to create a key and store it durably if there is none. All concurrent callers, in all
    ///   processes, must get the same key.
    /// - Returns: The key; nil if there is none and none was created.
    func key(creatingIfMissing: Bool) throws(CredentialStoreError) -> Secret<[UInt8]>?
}
