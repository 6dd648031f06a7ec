/// The conversion of records, and of the marks of their generations, to bytes. Each file store has its own.
protocol RecordForm: Sendable {
    /// The key or other means with which a record is written.
    associatedtype Sealing: Sendable

    /// Reads the bytes of a file.
    ///
    /// - Throws: ``CredentialStoreError`` with `.tooNew` if the format is newer, with `.corrupt` if it is not a complete record of that
    ///   name.
    func open(_ bytes: [UInt8], named name: RecordName) throws(CredentialStoreError) -> RecordReading

    /// Looks up the keys that were missing for a reading. May block for long, and may be called concurrently.
    func findKeys(for missing: MissingKey) throws(CredentialStoreError)

    /// Runs a call that may block for long.
    func offPool<Success: Sendable>(
        _ work: @escaping @Sendable () throws(CredentialStoreError) -> Success
    ) async throws(CredentialStoreError) -> Success

    /// Ensures that there is a key to write with, before the lock is acquired.
    ///
    /// - Returns: Whether it was requested just now.
    func prepareForWriting() async throws(CredentialStoreError) -> Bool

    /// Ensures, if an account has no record yet, that the key is the store's key.
    ///
    /// - Parameter keyIsFresh: Whether it was requested in this write.
    func prepareForFirstRecord(keyIsFresh: Bool) async throws(CredentialStoreError)

    /// Returns the current means of writing. Needs a write lock: a change of the store's key waits for all write locks.
    func sealing() async throws(CredentialStoreError) -> Sealing

    /// Does the same if no one has to be asked for a key; nil otherwise.
    func sealingAtHand() throws(CredentialStoreError) -> Sealing?

    func seal(
        _ credential: StoredCredential, of account: CredentialAccount, generation: UInt64, with sealing: Sealing
    ) throws(CredentialStoreError) -> [UInt8]

    /// Creates the mark of a generation.
    func mark(_ generation: UInt64, of name: RecordName, with sealing: Sealing) -> [UInt8]

    /// Returns the generation in a mark; nil if the mark is not from this store.
    func generation(inMark mark: [UInt8], of name: RecordName) -> UInt64?

    /// A number that changes if the store has a different key: earlier knowledge about its records does not apply to later ones.
    var lineage: Int { get }
}

/// An opened record.
struct OpenRecord: Sendable {
    let account: CredentialAccount
    let credential: StoredCredential
    let generation: UInt64
}

enum RecordReading: Sendable {
    case record(OpenRecord)
    /// The record may open with a key that is not available.
    case unopened(MissingKey)
}

/// The reason why a record did not open, and the time of the attempt.
struct MissingKey: Sendable {
    let error: CredentialStoreError
    /// How often the source of the key had responded by then.
    let answers: Int
}
