public import AuthHubPrimitives

/// A key of 32 random bytes in a file that only its owner may read.
///
/// It guards records that are copied without it (into a backup, say), not against programs of the same person.
public struct KeyFile: Sendable {
    /// The length of the key in bytes.
    public static let keyLength = 32

    public let path: String

    /// Touches nothing yet.
    public init(path: String) {
        self.path = path
    }
}

extension KeyFile: StoreKeySource {
    /// - Throws: ``CredentialStoreError`` with `.refused` for a file of another owner, one that others may read, or a symbolic link;
    ///   with `.corrupt` for one that does not hold a key.
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
                "The key file \(path) does not hold \(keyLength) bytes. Put it back from a backup, or remove it and the records.")
        }
        return bytes
    }

    /// Makes a whole key under a name of its own and then gives it the final name, which only one of several makers can.
    private func create() throws(CredentialStoreError) {
        let folder = FileSystem.parent(of: path)
        try FileSystem.makeFolders(folder)
        let temporaryPath = "\(path).\(randomBytes(count: 8).hexadecimal).new"
        guard let file = try POSIXFile.open(temporaryPath, to: .create) else {
            throw CredentialStoreError(.failed, "\(temporaryPath) exists already. Try again.")
        }
        do {
            try file.write(randomBytes(count: Self.keyLength))
            try file.synchronize()
            _ = try FileSystem.link(temporaryPath, to: path)
        } catch {
            try? FileSystem.remove(temporaryPath)
            throw error
        }
        try FileSystem.remove(temporaryPath)
        // Also where another one's key won: no record may reach the disk before its key.
        try FileSystem.synchronizeFolder(folder)
    }
}
