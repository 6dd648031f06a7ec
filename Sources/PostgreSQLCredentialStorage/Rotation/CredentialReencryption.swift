#if PostgreSQL
/// The progress of re-encrypting records with the current key.
public struct CredentialReencryption: Sendable, Hashable {
    /// The number of re-encrypted records.
    public var done = 0
    /// The number of records that no key of the keyring can decrypt. They are not changed.
    public var unreadable = 0
    /// The number of records with a key other than the current one, including unreadable records, at the time of the count.
    public var remaining = 0

    /// Creates a progress in which all numbers are zero.
    package init() {}
}
#endif
