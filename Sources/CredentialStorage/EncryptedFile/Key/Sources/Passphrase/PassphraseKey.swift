public import AuthHubPrimitives
import Synchronization

/// A random key of 32 bytes, in a file that opens with a passphrase alone.
///
/// The passphrase makes, by scrypt with 128 MiB of memory, the key that seals the store's key: another passphrase means one new file, and
/// no new record. The file guards what it is copied with as well as its passphrase is hard to guess.
///
/// The key is kept in this value, and the person asked once, until another key stands in the file. ``KernelKeyringCache`` keeps it for the
/// next process.
public final class PassphraseKey: Sendable {
    public let path: String

    private let prompt: PassphrasePrompt
    private let attempts: Int
    private let cost: PassphraseCost
    private let kept = Mutex<Secret<[UInt8]>?>(nil)

    /// Touches nothing and asks no one yet.
    ///
    /// - Parameters:
    ///   - path: The file, beside the records rather than among them.
    ///   - attempts: How often a person may try; 1 where the passphrase comes from a file, which answers the same each time.
    public convenience init(path: String, attempts: Int = 1, prompt: @escaping PassphrasePrompt) {
        self.init(path: path, attempts: attempts, cost: .recommended, prompt: prompt)
    }

    /// - Parameter cost: Of files that are made. Those that are there say theirs.
    package init(path: String, attempts: Int, cost: PassphraseCost, prompt: @escaping PassphrasePrompt) {
        self.path = path
        self.prompt = prompt
        self.attempts = attempts
        self.cost = cost
    }

    private static let kind = PassphraseEnvelope.Kind(
        magic: Array("AHPK".utf8), name: "sealed key", visibleLength: StoreKeyFingerprint.length, largestContents: KeyFile.keyLength)
}

extension PassphraseKey: FingerprintedKeySource {
    /// - Throws: ``CredentialStoreError`` with `.refused` for a wrong or empty passphrase, or a file of another owner or open to others;
    ///   with `.corrupt` for a damaged file and `.tooNew` for one of a newer program, both without asking; what the prompt throws.
    public func key(creatingIfMissing: Bool) throws(CredentialStoreError) -> Secret<[UInt8]>? {
        // The lock is held while a person thinks: the others who need the key would ask the same.
        try kept.withLock { kept throws(CredentialStoreError) in
            if let envelope = try envelope() {
                if let kept, StoreKeyFingerprint(of: kept).bytes == envelope.visible { return kept }
                kept = try open(envelope)
            } else {
                kept = creatingIfMissing ? try create() : nil
            }
            return kept
        }
    }

    public func fingerprint() throws(CredentialStoreError) -> StoreKeyFingerprint? {
        try envelope().flatMap { StoreKeyFingerprint(bytes: $0.visible) }
    }

    /// Whether a passphrase was chosen: the file is there.
    public func isChosen() throws(CredentialStoreError) -> Bool {
        try FileStatus.of(path) != nil
    }

    /// Seals the key with another passphrase, which takes the old file's place at once. The records stay as they are.
    ///
    /// Asks for the old passphrase, unless the key is known, and for the new one. Who has a copy of the old file can go on opening that with
    /// the old passphrase: where that one is known to others, make a new key for the records, too.
    ///
    /// - Throws: ``CredentialStoreError``, as ``key(creatingIfMissing:)`` does; with `.unavailable` where there is no file.
    public func changePassphrase() throws(CredentialStoreError) {
        guard let key = try key(creatingIfMissing: false) else {
            throw CredentialStoreError(.unavailable, "there is no sealed key at \(path) whose passphrase could be changed; check the path")
        }
        try FileSystem.replaceFile(path, with: seal(key, with: prompt(.choose)))
    }
}

extension PassphraseKey {
    private func envelope() throws(CredentialStoreError) -> PassphraseEnvelope? {
        guard let bytes = try FileSystem.privateFile(path, atMost: Self.kind.largestFile + 1) else { return nil }
        return try PassphraseEnvelope(reading: bytes, as: Self.kind, at: path)
    }

    private func open(_ envelope: PassphraseEnvelope) throws(CredentialStoreError) -> Secret<[UInt8]> {
        try check(envelope.contents(asking: prompt, attempts: attempts, path: path), in: envelope)
    }

    private func check(_ contents: [UInt8], in envelope: PassphraseEnvelope) throws(CredentialStoreError) -> Secret<[UInt8]> {
        let key = Secret(contents)
        guard contents.count == KeyFile.keyLength, StoreKeyFingerprint(of: key).bytes == envelope.visible else {
            throw CredentialStoreError(.corrupt, "the sealed key \(path) does not contain a key; restore it from a backup")
        }
        return key
    }

    /// Makes a key that one passphrase opens. Where another process is faster, its key is taken, if it opens with the same one.
    private func create() throws(CredentialStoreError) -> Secret<[UInt8]> {
        let passphrase = try prompt(.choose)
        let key = Secret(randomBytes(count: KeyFile.keyLength))
        let bytes = try seal(key, with: passphrase)
        try FileSystem.makeFolders(FileSystem.parent(of: path))
        if try FileSystem.makeFile(path, holding: bytes) { return key }
        guard let envelope = try envelope() else {
            throw CredentialStoreError(.failed, "\(path) was removed a moment ago; try again")
        }
        guard let contents = try envelope.contents(with: passphrase) else {
            throw CredentialStoreError(
                .refused, "another process has just encrypted the store's key with another passphrase (\(path)); try again with that one")
        }
        return try check(contents, in: envelope)
    }

    private func seal(_ key: Secret<[UInt8]>, with passphrase: Secret<[UInt8]>) throws(CredentialStoreError) -> [UInt8] {
        try PassphraseEnvelope.seal(
            key.reveal(), visible: StoreKeyFingerprint(of: key).bytes, as: Self.kind, with: passphrase, cost: cost)
    }
}
