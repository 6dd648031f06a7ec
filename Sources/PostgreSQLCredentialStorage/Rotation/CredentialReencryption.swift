#if PostgreSQL
/// How far the records have come to the current key.
public struct CredentialReencryption: Sendable, Hashable {
    /// Records that were sealed anew.
    public var done = 0
    /// Records that do not open with any key of the ring; they were kept as they are.
    public var unreadable = 0
    /// Records whose key is not the current one, the unreadable ones among them, when this was counted.
    public var remaining = 0

    public init() {}
}
#endif
