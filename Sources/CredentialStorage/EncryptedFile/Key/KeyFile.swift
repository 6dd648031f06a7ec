public import AuthHubPrimitives

/// A key of 32 random bytes in a file that only its owner may read.
///
/// It protects records that are copied without it (into a backup, for example), but not against programs of the same user.
public struct KeyFile: Sendable {
    /// The length of the key in bytes.
    public static let keyLength = 32

    public let path: String

    /// Creates a source for a key file, without accessing the file.
    public init(path: String) {
        self.path = path
    }
}

extension KeyFile: StoreKeySource {
    /// Returns the key.
    ///
    /// - Throws: ``CredentialStoreError`` with `.refused` if the file belongs to another owner, if others may read it, or if it is a
    ///   symbolic link; with `.corrupt` if it does not contain a key.
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
                "The key file \(path) does not hold \(keyLength) bytes. Where records are sealed with it, put it back from a backup; else give it \(keyLength) random bytes."
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
