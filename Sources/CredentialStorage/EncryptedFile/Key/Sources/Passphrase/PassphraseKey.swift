public import AuthHubPrimitives
import Synchronization

/// A random key of 32 bytes in a file that is encrypted with a passphrase.
///
/// The file contains the store's key, encrypted with a key that scrypt derives from the passphrase using 128 MiB of memory. Changing the
/// passphrase therefore rewrites one file and no records. A copy of the file is only as safe as the passphrase is hard to guess.
///
/// An instance asks for the passphrase once and then caches the key, until the file contains another key.
public final class PassphraseKey: Sendable {
    /// The path of the encrypted file.
    package let path: String

    private let prompt: PassphrasePrompt
    private let attempts: Int
    private let cost: PassphraseCost
    private let kept = Mutex<Secret<[UInt8]>?>(nil)

    /// Creates a key source. Does not access the file or ask for the passphrase.
    ///
    /// - Parameters:
    ///   - path: The path of the file. The file must not be in the folder of the records.
    ///   - attempts: How many times the user can enter the passphrase. Use 1 if the passphrase comes from a file, which always returns the
    ///     same one.
    ///   - prompt: Returns the passphrase.
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
    /// Returns the key, after asking for the passphrase if necessary. If there is no file and `creatingIfMissing` is true, creates a random
    /// key and asks for a new passphrase.
    ///
    /// - Throws: ``CredentialStoreError`` with `.refused` if the passphrase is wrong or empty, or if the file belongs to another user or is
    ///   open to others; with `.corrupt` if the file is damaged, or `.tooNew` if a newer program wrote it, in both cases without asking for
    ///   the passphrase; or the error of the prompt.
    public func key(creatingIfMissing: Bool) throws(CredentialStoreError) -> Secret<[UInt8]>? {
        // The lock is held while the user enters the passphrase. Otherwise, other callers that need the key would ask for it as well.
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

    /// Returns the fingerprint that is stored unencrypted in the file, without asking the user; nil if the file does not exist.
    package func fingerprint() throws(CredentialStoreError) -> StoreKeyFingerprint? {
        try envelope().flatMap { StoreKeyFingerprint(bytes: $0.visible) }
    }

    /// Returns whether a passphrase was chosen, which means that the file exists.
    package func isChosen() throws(CredentialStoreError) -> Bool {
        try FileStatus.of(path) != nil
    }

    /// Encrypts the key with another passphrase, replacing the old file atomically. The records do not change.
    ///
    /// Asks for the old passphrase, unless the key is known, and for the new one. A copy of the old file can still be decrypted with the
    /// old passphrase: if others know that one, change the key of the records, too.
    ///
    /// - Throws: ``CredentialStoreError``, as ``key(creatingIfMissing:)`` does; with `.unavailable` if there is no file.
    package func changePassphrase() throws(CredentialStoreError) {
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

    /// Creates a key that one passphrase decrypts. If another process creates the file first, its key is used, provided the same passphrase
    /// decrypts it.
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
                .refused,
                "another process has just encrypted the store's key with another passphrase (\(path)); try again with that passphrase")
        }
        return try check(contents, in: envelope)
    }

    private func seal(_ key: Secret<[UInt8]>, with passphrase: Secret<[UInt8]>) throws(CredentialStoreError) -> [UInt8] {
        try PassphraseEnvelope.seal(
            key.reveal(), visible: StoreKeyFingerprint(of: key).bytes, as: Self.kind, with: passphrase, cost: cost)
    }
}
