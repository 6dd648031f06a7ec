import Crypto

/// A file next to the records which states that the store's key is being replaced by another one, or was replaced.
///
/// | bytes | field |
/// | --- | --- |
/// | 4 | `AHCK` |
/// | 1 | format, 1 |
/// | 8 | identifier of the new key |
/// | 1 | number of keys that were replaced before |
/// | 8 each | their identifiers |
///
/// and while the change is in progress
///
/// | bytes | field |
/// | --- | --- |
/// | 8 | identifier of the old key |
/// | 60 | the new key, encrypted with the old one: nonce, 32 bytes, tag |
/// | 60 | the old key, encrypted with the new one |
struct KeyChange: Sendable {
    private static let magic = Array("AHCK".utf8)
    private static let format: UInt8 = 1
    private static let largestCount = 255
    private static let boxLength = 60

    /// The encrypted keys from which a holder of one of the two keys obtains the other.
    struct Bridge: Sendable {
        let old: KeyIdentifier
        fileprivate var boxes: [[UInt8]]
    }

    enum Side: String {
        case new, old
    }

    /// The key that writers must use.
    let target: KeyIdentifier
    /// The keys that are no longer used.
    let retired: [KeyIdentifier]
    /// nil when the change is complete.
    let bridge: Bridge?

    private init(target: KeyIdentifier, retired: [KeyIdentifier], bridge: Bridge?) {
        self.target = target
        self.retired = Array(retired.filter { $0 != target }.suffix(Self.largestCount))
        self.bridge = bridge
    }
}

extension KeyChange {
    /// Creates a change.
    ///
    /// - Parameter retired: The keys that were replaced before.
    init(from old: SealingKey, to new: SealingKey, retired: [KeyIdentifier]) throws(CredentialStoreError) {
        self.init(target: new.id, retired: retired, bridge: Bridge(old: old.id, boxes: []))
        self = Self(
            target: target, retired: self.retired,
            bridge: Bridge(old: old.id, boxes: [try box(.new, new, under: old), try box(.old, old, under: new)]))
    }

    /// The completed change, without anything that the old key can decrypt.
    var ended: Self { Self(target: target, retired: retired + [bridge?.old].compactMap(\.self), bridge: nil) }

    /// Decrypts the key of one side.
    ///
    /// - Parameter key: The key of the other side.
    /// - Returns: nil if it cannot be decrypted with that key.
    func key(_ side: Side, with key: SealingKey) -> SealingKey? {
        guard let bridge, bridge.boxes.count == 2, let box = try? AES.GCM.SealedBox(combined: bridge.boxes[side == .new ? 0 : 1]),
            let bytes = try? AES.GCM.open(box, using: key.change, authenticating: associatedData(side))
        else { return nil }
        let found = SealingKey(record: SymmetricKey(data: bytes))
        return found.id == (side == .new ? target : bridge.old) ? found : nil
    }

    private func box(_ side: Side, _ key: SealingKey, under other: SealingKey) throws(CredentialStoreError) -> [UInt8] {
        do {
            let box = try key.record.withUnsafeBytes { bytes in
                try AES.GCM.seal(bytes, using: other.change, authenticating: associatedData(side))
            }
            return Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
        } catch {
            throw CredentialStoreError(.failed, "the key could not be encrypted", underlying: error)
        }
    }

    private func associatedData(_ side: Side) -> [UInt8] {
        Self.magic + [Self.format] + target.bytes + (bridge?.old.bytes ?? []) + Array(side.rawValue.utf8)
    }
}

extension KeyChange {
    var bytes: [UInt8] {
        let identifiers = [target.bytes, [UInt8(retired.count)]] + retired.map(\.bytes)
        let rest = bridge.map { [$0.old.bytes] + $0.boxes } ?? []
        return Self.magic + [Self.format] + identifiers.flatMap(\.self) + rest.flatMap(\.self)
    }

    /// Parses the contents of a file.
    ///
    /// - Returns: nil for anything else.
    private init?(bytes: [UInt8]) {
        var rest = bytes[...]
        func take(_ count: Int) -> [UInt8]? {
            guard rest.count >= count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        guard take(Self.magic.count) == Self.magic, take(1) == [Self.format], let target = take(KeyIdentifier.length),
            let count = take(1)?.first
        else { return nil }
        let retired = (0..<count).compactMap { _ in take(KeyIdentifier.length).map(KeyIdentifier.init) }
        guard retired.count == count else { return nil }
        if rest.isEmpty {
            self.init(target: KeyIdentifier(bytes: target), retired: retired, bridge: nil)
            return
        }
        guard let old = take(KeyIdentifier.length), let new = take(Self.boxLength), let previous = take(Self.boxLength), rest.isEmpty else {
            return nil
        }
        self.init(
            target: KeyIdentifier(bytes: target), retired: retired, bridge: Bridge(old: KeyIdentifier(bytes: old), boxes: [new, previous]))
    }

    /// Reads the change of a store's key that is in progress, or the last one; nil if there was none.
    ///
    /// - Throws: ``CredentialStoreError`` with `.failed` if the file is damaged, because data written with the wrong key could be lost.
    static func read(in folder: StoreFolder) throws(CredentialStoreError) -> KeyChange? {
        let path = folder.keyChangePath
        guard let file = try POSIXFile.open(path, to: .read) else { return nil }
        try file.status().requirePrivateFile(path)
        let largest = magic.count + 2 + KeyIdentifier.length * (largestCount + 2) + 2 * boxLength
        guard let change = KeyChange(bytes: try file.read(atMost: largest + 1)) else {
            throw CredentialStoreError(
                .failed,
                "\(path), which records the change of the store's key, is damaged or was written by a newer version of this program; restore it from a backup, or update this program"
            )
        }
        return change
    }
}
