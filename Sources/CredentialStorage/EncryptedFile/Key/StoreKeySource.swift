public import AuthHubPrimitives

/// Where the key of an ``EncryptedFileStore`` comes from.
///
/// A store asks when it first needs the key, and keeps the answer. It asks again when a record does not open with it, and before the first
/// record of an account where no other record shows that the key is still that of the store.
public protocol StoreKeySource: Sendable {
    /// The key: at least 16 bytes that no one can guess.
    ///
    /// May block for long, while a person or a service is asked, but not for ever: nobody can cancel it. A store calls it from a thread that
    /// may be blocked, and not twice at once; ``EncryptedFileStore/readNow(_:)`` calls it from the thread of its caller.
    ///
    /// - Parameter creatingIfMissing: Makes a key where there is none, durably. All who ask at the same time, in all processes, get the same.
    /// - Returns: Nil where there is no key and none was to be made.
    func key(creatingIfMissing: Bool) throws(CredentialStoreError) -> Secret<[UInt8]>?
}
