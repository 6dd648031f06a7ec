#if PostgreSQL
/// The progress of re-encrypting records with the current key.
public struct CredentialReencryption: Sendable, Hashable {
    /// The number of records that have been re-encrypted.
    public var done = 0
    /// The number of records that none of the keyring's keys can decrypt. These records are not changed.
    public var unreadable = 0
    /// The number of records that use a key other than the current one, including unreadable records, when they were last counted.
    public var remaining = 0

    /// Creates a progress in which all numbers are zero.
    package init() {}
}
#endif
