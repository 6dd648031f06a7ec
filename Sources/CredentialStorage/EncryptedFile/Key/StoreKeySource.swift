public import AuthHubPrimitives

/// Where the key of an ``EncryptedFileStore`` comes from.
///
/// A store asks when it first needs the key, keeps the answer, and asks again only when a record does not open with it.
public protocol StoreKeySource: Sendable {
    /// The key: at least 16 bytes that no one can guess.
    ///
    /// - Parameter creatingIfMissing: Makes a key where there is none. All who ask at the same time, in all processes, get the same.
    /// - Returns: Nil where there is no key and none was to be made.
    func key(creatingIfMissing: Bool) throws(CredentialStoreError) -> Secret<[UInt8]>?
}
