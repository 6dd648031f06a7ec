public import AuthHubPrimitives
import Synchronization

/// A random key of 32 bytes, in a file that can only be opened with a passphrase.
///
/// scrypt with 128 MiB of memory derives, from the passphrase, the key that encrypts the store's key. So a new passphrase means one new
/// file, and no new records. If the file is copied together with the records, only a passphrase that is hard to guess protects them.
///
/// This instance caches the key, so the user is asked only once, until the file contains another key. ``KernelKeyringCache`` caches it for
/// the next process.
public final class PassphraseKey: Sendable {
    public let path: String

    private let prompt: PassphrasePrompt
    private let attempts: Int
    private let cost: PassphraseCost
    private let kept = Mutex<Secret<[UInt8]>?>(nil)

    /// Creates a source, without accessing the file or asking the user.
    ///
    /// - Parameters:
    ///   - path: The file. Do not put it in the folder of the records.
    ///   - attempts: How often the user may try; 1 if the passphrase comes from a file, which returns the same one each time.
    public convenience init(path: String, attempts: Int = 1, prompt: @escaping PassphrasePrompt) {
        self.init(path: path, attempts: attempts, cost: .recommended, prompt: prompt)
    }

    /// Creates a source with another cost.
    ///
    /// - Parameter cost: The cost for new files. Existing files state their own.
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
    /// Returns the key.
    ///
    /// - Throws: ``CredentialStoreError`` with `.refused` if the passphrase is wrong or empty, or the file belongs to another owner or has
    ///   permissions for others; with `.corrupt` if the file is damaged and `.tooNew` if a newer program wrote it, both without asking;
    ///   errors of the prompt.
    public func key(creatingIfMissing: Bool) throws(CredentialStoreError) -> Secret<[UInt8]>? {
        // The lock is held while the user thinks: other callers that need the key would ask the same question.
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

    /// Returns whether a passphrase was chosen, that is, whether the file exists.
    public func isChosen() throws(CredentialStoreError) -> Bool {
        try FileStatus.of(path) != nil
    }

    /// Encrypts the key with another passphrase, and replaces the old file atomically. The records do not change.
    ///
    /// Asks for the old passphrase, unless the key is known, and for the new one. A copy of the old file can still be opened with the old
    /// passphrase: if others know that passphrase, create a new key for the records, too.
    ///
    /// - Throws: ``CredentialStoreError``, as ``key(creatingIfMissing:)`` does; with `.unavailable` if there is no file.
    public func changePassphrase() throws(CredentialStoreError) {
        guard let key = try key(creatingIfMissing: false) else {
            throw CredentialStoreError(.unavailable, "There is no sealed key at \(path) whose passphrase could be changed. Check the path.")
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
            throw CredentialStoreError(.corrupt, "The sealed key \(path) does not hold a key. Put it back from a backup.")
        }
        return key
    }

    /// Creates a key that one passphrase opens. If another process is faster, its key is used, provided the same passphrase opens it.
    private func create() throws(CredentialStoreError) -> Secret<[UInt8]> {
        let passphrase = try prompt(.choose)
        let key = Secret(randomBytes(count: KeyFile.keyLength))
        let bytes = try seal(key, with: passphrase)
        try FileSystem.makeFolders(FileSystem.parent(of: path))
        if try FileSystem.makeFile(path, holding: bytes) { return key }
        guard let envelope = try envelope() else {
            throw CredentialStoreError(.failed, "\(path) was removed a moment ago. Try again.")
        }
        guard let contents = try envelope.contents(with: passphrase) else {
            throw CredentialStoreError(
                .refused, "Another process has just sealed the store's key, with another passphrase (\(path)). Try again with that one.")
        }
        return try check(contents, in: envelope)
    }

    private func seal(_ key: Secret<[UInt8]>, with passphrase: Secret<[UInt8]>) throws(CredentialStoreError) -> [UInt8] {
        try PassphraseEnvelope.seal(
            key.reveal(), visible: StoreKeyFingerprint(of: key).bytes, as: Self.kind, with: passphrase, cost: cost)
    }
}
