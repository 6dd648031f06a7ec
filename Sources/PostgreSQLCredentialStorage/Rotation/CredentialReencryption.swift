#if PostgreSQL
/// The progress of re-encrypting the records with the current key.
public struct CredentialReencryption: Sendable, Hashable {
    /// The number of re-encrypted records.
    public var done = 0
    /// The number of records that no key of the keyring opens; they were left unchanged.
    public var unreadable = 0
    /// The number of records whose key is not the current one, including the unreadable ones, when they were counted.
    public var remaining = 0

    public init() {}
}
#endif
