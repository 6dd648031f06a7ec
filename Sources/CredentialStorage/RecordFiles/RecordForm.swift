/// How records, and the marks of their generations, become bytes: what sets one store of files apart from another.
protocol RecordForm: Sendable {
    /// What a record is written with.
    associatedtype Sealing: Sendable

    /// Reads the bytes of a file.
    ///
    /// - Throws: ``CredentialStoreError`` with `.tooNew` for a later format, with `.corrupt` for anything but a whole record of that name.
    func open(_ bytes: [UInt8], named name: RecordName) throws(CredentialStoreError) -> RecordReading

    /// Looks for the keys that a reading lacked. May block for long, and is harmless when called by many at once.
    func findKeys(for missing: MissingKey) throws(CredentialStoreError)

    /// Runs what may block for long.
    func offPool<Success: Sendable>(
        _ work: @escaping @Sendable () throws(CredentialStoreError) -> Success
    ) async throws(CredentialStoreError) -> Success

    /// Makes sure that there is a key to write with, before the lock is taken.
    ///
    /// - Returns: Whether it was asked for just now.
    func prepareForWriting() async throws(CredentialStoreError) -> Bool

    /// Makes sure, where an account has no record yet, that the key is that of the store.
    ///
    /// - Parameter keyIsFresh: Whether it was asked for in this write.
    func prepareForFirstRecord(keyIsFresh: Bool) async throws(CredentialStoreError)

    /// What to write with at this moment. Needs a write lock: who changes the key of a store waits for all that are held.
    func sealing() async throws(CredentialStoreError) -> Sealing

    /// The same where no one has to be asked for a key; nil otherwise.
    func sealingAtHand() throws(CredentialStoreError) -> Sealing?

    func seal(
        _ credential: StoredCredential, of account: CredentialAccount, generation: UInt64, with sealing: Sealing
    ) throws(CredentialStoreError) -> [UInt8]

    /// Says that a generation was reached.
    func mark(_ generation: UInt64, of name: RecordName, with sealing: Sealing) -> [UInt8]

    /// The generation in a mark; nil where the mark is none of this store's.
    func generation(inMark mark: [UInt8], of name: RecordName) -> UInt64?

    /// Changes when the store's key turned out to be another one: what was known of its records before tells nothing of those after.
    var lineage: Int { get }
}

/// A record that was opened.
struct OpenRecord: Sendable {
    let account: CredentialAccount
    let credential: StoredCredential
    let generation: UInt64
}

enum RecordReading: Sendable {
    case record(OpenRecord)
    /// It may open with a key that is not at hand.
    case unopened(MissingKey)
}

/// Why a record did not open, and when that was.
struct MissingKey: Sendable {
    let error: CredentialStoreError
    /// How often the source of the key had answered by then.
    let answers: Int
}
