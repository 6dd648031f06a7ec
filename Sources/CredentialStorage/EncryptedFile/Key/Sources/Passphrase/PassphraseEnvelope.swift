import AuthHubPrimitives
import Crypto

/// Bytes encrypted with a passphrase, in the format of a file.
///
/// | bytes | field |
/// | --- | --- |
/// | 4 | the kind of file |
/// | 1 | format, 1 |
/// | 3 | cost of scrypt: binary logarithm of N, r, p |
/// | 32 | salt of scrypt |
/// | 8 | length of the contents, big-endian |
/// | any | visible data; its length follows from the kind |
/// | 12 | nonce of AES-256-GCM |
/// | any | encrypted contents |
/// | 16 | tag |
/// | 32 | SHA-256 of everything before |
///
/// Everything before the nonce is authenticated as associated data. The checksum at the end distinguishes damage from a wrong passphrase
/// before the user is asked. It does not protect against deliberate changes; the tag does.
struct PassphraseEnvelope {
    /// The data that is visible without the passphrase; its length depends on the kind.
    let visible: [UInt8]
    private let kind: Kind
    private let cost: PassphraseCost
    private let salt: [UInt8]
    private let header: ArraySlice<UInt8>
    private let nonce: ArraySlice<UInt8>
    private let ciphertext: ArraySlice<UInt8>
    private let tag: ArraySlice<UInt8>
}

extension PassphraseEnvelope {
    struct Kind: Sendable {
        /// The four bytes at the start of the file.
        let magic: [UInt8]
        /// The name of the kind in messages, such as "key file".
        let name: String
        let visibleLength: Int
        let largestContents: Int

        private var headerLength: Int { saltEnd + 8 + visibleLength }
        /// The size of a file without its contents, in bytes.
        var overhead: Int { headerLength + nonceLength + tagLength + digestLength }
        var largestFile: Int { overhead + largestContents }
    }

    private static let format: UInt8 = 1
    fileprivate static let costOffset = 5
    fileprivate static let saltOffset = costOffset + 3
    fileprivate static let saltLength = 32
}

private let saltEnd = PassphraseEnvelope.saltOffset + PassphraseEnvelope.saltLength
private let nonceLength = 12
private let tagLength = 16
private let digestLength = SHA256.byteCount

extension PassphraseEnvelope {
    /// Encrypts contents with a passphrase.
    ///
    /// - Returns: The bytes of the file.
    /// - Throws: ``CredentialStoreError`` with `.refused` if the passphrase is empty, with `.tooLarge` if the contents exceed the kind's
    ///   limit.
    static func seal(
        _ contents: [UInt8], visible: [UInt8] = [], as kind: Kind, with passphrase: Secret<[UInt8]>, cost: PassphraseCost
    ) throws(CredentialStoreError) -> [UInt8] {
        try Passphrase.check(passphrase)
        guard contents.count <= kind.largestContents else {
            throw CredentialStoreError(
                .tooLarge, "the \(kind.name) would contain \(contents.count) bytes; the limit is \(kind.largestContents)")
        }
        let salt = randomBytes(count: saltLength)
        let length = (0..<8).reversed().map { UInt8(truncatingIfNeeded: contents.count >> ($0 * 8)) }
        let header =
            kind.magic + [format, cost.exponent, cost.blockSize, cost.parallelism] + salt + length + visible
        let key = try cost.key(from: passphrase, salt: salt)
        do {
            let box = try AES.GCM.seal(contents, using: key, authenticating: header)
            let file = header + Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
            return file + Array(SHA256.hash(data: file))
        } catch {
            throw CredentialStoreError(.failed, "the \(kind.name) could not be encrypted", underlying: error)
        }
    }

    /// Reads a file without decrypting it.
    ///
    /// - Throws: ``CredentialStoreError`` with `.tooNew` if the format is newer; with `.corrupt` if the file is truncated, too long,
    ///   damaged or of another kind; with `.refused` if its cost would need too much memory or time.
    init(reading bytes: [UInt8], as kind: Kind, at path: String) throws(CredentialStoreError) {
        func corrupt(_ what: String) -> CredentialStoreError {
            CredentialStoreError(.corrupt, "the \(kind.name) \(path) \(what); it was not changed; restore it from a backup")
        }
        guard bytes.starts(with: kind.magic) else { throw corrupt("has another format, or its beginning is damaged") }
        guard bytes.count > kind.magic.count else { throw corrupt("is truncated") }
        let found = bytes[kind.magic.count]
        guard found <= Self.format else {
            throw CredentialStoreError(
                .tooNew,
                "a newer version of this program wrote the \(kind.name) \(path) (format \(found); this version supports \(Self.format)); update this program"
            )
        }
        guard found == Self.format else { throw corrupt("is damaged") }
        guard bytes.count >= kind.overhead else { throw corrupt("is truncated") }
        let length = bytes[saltEnd..<saltEnd + 8].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        guard length <= UInt64(kind.largestContents) else { throw corrupt("is damaged: its declared size is too large") }
        let size = kind.overhead + Int(length)
        guard bytes.count >= size else { throw corrupt("is truncated: it has \(bytes.count) of \(size) bytes") }
        guard bytes.count == size, SHA256.hash(data: bytes.dropLast(digestLength)) == bytes.suffix(digestLength) else {
            throw corrupt("is damaged")
        }
        let cost = PassphraseCost(
            exponent: bytes[Self.costOffset], blockSize: bytes[Self.costOffset + 1], parallelism: bytes[Self.costOffset + 2])
        guard cost.isBearable else {
            throw CredentialStoreError(
                .refused,
                "the \(kind.name) \(path) requires more memory or time to decrypt than any file that this program writes; do not use it")
        }
        let headerEnd = saltEnd + 8 + kind.visibleLength
        let contentsEnd = headerEnd + nonceLength + Int(length)
        self.init(
            visible: Array(bytes[(saltEnd + 8)..<headerEnd]), kind: kind, cost: cost, salt: Array(bytes[Self.saltOffset..<saltEnd]),
            header: bytes[..<headerEnd], nonce: bytes[headerEnd..<headerEnd + nonceLength],
            ciphertext: bytes[(headerEnd + nonceLength)..<contentsEnd], tag: bytes[contentsEnd..<contentsEnd + tagLength])
    }

    /// Returns the contents; nil if the passphrase is wrong. A file that was changed deliberately, with a matching checksum, looks the
    /// same.
    func contents(with passphrase: Secret<[UInt8]>) throws(CredentialStoreError) -> [UInt8]? {
        try Passphrase.check(passphrase)
        let key = try cost.key(from: passphrase, salt: salt)
        do {
            // With these lengths it fails for one reason only: the tag does not match this key and these bytes.
            let box = try AES.GCM.SealedBox(nonce: AES.GCM.Nonce(data: nonce), ciphertext: ciphertext, tag: tag)
            return Array(try AES.GCM.open(box, using: key, authenticating: header))
        } catch {
            return nil
        }
    }

    /// Asks for the passphrase until it is right, or was wrong too often.
    ///
    /// - Throws: ``CredentialStoreError`` with `.refused` if the last one was wrong; rethrows errors of the prompt.
    func contents(
        asking prompt: PassphrasePrompt, attempts: Int, path: String
    ) throws(CredentialStoreError) -> [UInt8] {
        defer { PassphraseAttempts.current?.end() }
        for attempt in 1...max(attempts, 1) {
            if let contents = try contents(with: prompt(.open(attempt: attempt))) { return contents }
        }
        throw CredentialStoreError(
            .refused, "the passphrase of the \(kind.name) \(path) is wrong; nothing was changed; try again")
    }
}
