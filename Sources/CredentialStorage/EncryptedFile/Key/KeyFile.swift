public import AuthHubPrimitives

/// A key of 32 random bytes in a file that only its owner can read.
///
/// The key protects copies of the records that do not include this file, such as a backup. The key does not protect the records against
/// other programs of the same user.
public struct KeyFile: Sendable {
    /// The length of the key in bytes.
    package static let keyLength = 32

    /// The path of the file that contains the key.
    package let path: String

    /// Creates a key source. Does not access the file.
    public init(path: String) {
        self.path = path
    }
}

extension KeyFile: StoreKeySource {
    /// Returns the key in the file. If there is no file and `creatingIfMissing` is true, creates it with a random key.
    ///
    /// - Throws: ``CredentialStoreError`` with `.refused` if the file belongs to another user, is readable by others or is a symbolic
    ///   link; with `.corrupt` if it does not contain a key.
    public func key(creatingIfMissing: Bool) throws(CredentialStoreError) -> Secret<[UInt8]>? {
        if let key = try read() { return key }
        guard creatingIfMissing else { return nil }
        try create()
        return try read()
    }
}

extension KeyFile {
    private func read() throws(CredentialStoreError) -> Secret<[UInt8]>? {
        guard let file = try POSIXFile.open(path, to: .read) else { return nil }
        try file.status().requirePrivateFile(path)
        return Secret(try Self.checkedKey(file.read(atMost: Self.keyLength + 1), path))
    }

    static func checkedKey(_ bytes: [UInt8], _ path: String) throws(CredentialStoreError) -> [UInt8] {
        guard bytes.count == keyLength else {
            throw CredentialStoreError(
                .corrupt,
                "the key file \(path) does not contain \(keyLength) bytes; if records are encrypted with it, restore it from a backup; otherwise write \(keyLength) random bytes to it"
            )
        }
        return bytes
    }

    /// Creates a complete key unless another process has. Returns when it is durable: no record may reach the disk before its key.
    private func create() throws(CredentialStoreError) {
        try FileSystem.makeFolders(FileSystem.parent(of: path))
        _ = try FileSystem.makeFile(path, holding: randomBytes(count: Self.keyLength))
    }
}
