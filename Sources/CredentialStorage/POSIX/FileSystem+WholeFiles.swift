import AuthHubPrimitives

extension FileSystem {
    /// Creates a file that only its owner may read, atomically, unless a file with that name exists. Whichever process created it, the file
    /// is durable afterwards.
    ///
    /// The complete file is first written under a separate name; of several creators, only one can give it the final name.
    ///
    /// - Parameter reached: Called before the file gets its name, for tests of the files that a killed process leaves behind.
    /// - Returns: False if the file exists already; it is left unchanged.
    package static func makeFile(
        _ path: String, holding bytes: [UInt8], reached: () throws(CredentialStoreError) -> Void = {}
    ) throws(CredentialStoreError) -> Bool {
        let temporaryPath = try writeTemporary(bytes, for: path)
        let isNew: Bool
        do throws(CredentialStoreError) {
            try reached()
            isNew = try link(temporaryPath, to: path)
        } catch {
            try? remove(temporaryPath)
            throw error
        }
        try remove(temporaryPath)
        try synchronizeFolder(parent(of: path))
        return isNew
    }

    /// Replaces a file with one that only its owner may read, atomically and durably.
    package static func replaceFile(_ path: String, with bytes: [UInt8]) throws(CredentialStoreError) {
        let temporaryPath = try writeTemporary(bytes, for: path)
        do throws(CredentialStoreError) {
            try rename(temporaryPath, to: path)
        } catch {
            try? remove(temporaryPath)
            throw error
        }
        try synchronizeFolder(parent(of: path))
    }

    private static func writeTemporary(_ bytes: [UInt8], for path: String) throws(CredentialStoreError) -> String {
        let temporaryPath = "\(path).\(randomBytes(count: 8).hexadecimal).new"
        guard let file = try POSIXFile.open(temporaryPath, to: .create) else {
            throw CredentialStoreError(.failed, "\(temporaryPath) already exists; try again")
        }
        do throws(CredentialStoreError) {
            try file.write(bytes)
            try file.synchronize()
        } catch {
            try? remove(temporaryPath)
            throw error
        }
        return temporaryPath
    }

    /// Returns the bytes of a file that only its owner may read; nil if there is no file.
    ///
    /// - Throws: ``CredentialStoreError`` with `.refused` if the file has the wrong owner or mode or is a symbolic link; with `.tooLarge` if
    ///   it is larger than the limit.
    package static func privateFile(_ path: String, atMost limit: Int) throws(CredentialStoreError) -> [UInt8]? {
        guard let file = try POSIXFile.open(path, to: .read) else { return nil }
        let status = try file.status()
        try status.requirePrivateFile(path)
        guard status.size <= limit else {
            throw CredentialStoreError(.tooLarge, "\(path) has \(status.size) bytes; at most \(limit) are read; check the path")
        }
        return try file.read(atMost: status.size)
    }
}
