public import AuthHubPrimitives

/// The source of the key of an ``EncryptedFileStore``.
///
/// A store requests the key when it first needs it, and caches the result. It requests the key again in two cases: if the cached key does
/// not decrypt a record; and before it writes the first record of an account, if no other record proves that the cached key is still the
/// right one.
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
