import AuthHubPrimitives

/// The record of which store was chosen: a small text in the service's data folder.
///
/// Two lines: `AuthHub store choice 1`, and the name of the store. It appears whole, and which of several writers makes it is one's alone.
struct StoreChoiceFile: Sendable {
    private static let head = "AuthHub store choice "
    private static let format = 1
    private static let largestSize = 256
    /// How long a process waits for another that is choosing: a person may be asked to unlock or to make a store meanwhile.
    private static let longestWait = Duration.seconds(150)

    let path: String

    private var folder: String { FileSystem.parent(of: path) }
}

extension StoreChoiceFile {
    /// - Returns: Nil where nothing was chosen.
    /// - Throws: ``CredentialStoreError`` with `.corrupt`, `.tooNew` or `.refused`, and the file is kept.
    func read() throws(CredentialStoreError) -> CredentialStoreKind? {
        guard let file = try POSIXFile.open(path, to: .read) else { return nil }
        try file.status().requirePrivateFile(path)
        let bytes = try file.read(atMost: Self.largestSize + 1)
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard bytes.count <= Self.largestSize, let first = lines.first, first.hasPrefix(Self.head),
            let format = Int(first.dropFirst(Self.head.count)), format >= 1
        else { throw damaged }
        guard format == Self.format else {
            throw CredentialStoreError(
                .tooNew, "A newer program chose where credentials are kept (\(path), format \(format)). Update this program.")
        }
        guard lines.count == 3, !lines[1].isEmpty, lines[2].isEmpty else { throw damaged }
        return CredentialStoreKind(named: String(lines[1]))
    }

    /// Records a choice in the place of an older one.
    func write(_ kind: CredentialStoreKind) throws(CredentialStoreError) {
        try FileSystem.makeFolders(folder)
        let temporaryPath = "\(path).\(randomBytes(count: 8).hexadecimal).new"
        guard let file = try POSIXFile.open(temporaryPath, to: .create) else {
            throw CredentialStoreError(.failed, "\(temporaryPath) exists already. Try again.")
        }
        do {
            try file.write(Array("\(Self.head)\(Self.format)\n\(kind.name)\n".utf8))
            try file.synchronize()
            try FileSystem.rename(temporaryPath, to: path)
        } catch {
            try? FileSystem.remove(temporaryPath)
            throw error
        }
        try FileSystem.synchronizeFolder(folder)
    }

    /// Keeps all other processes from choosing.
    func lock() async throws(CredentialStoreError) -> FileLock {
        let lock = try await FileLock.acquire(
            "\(path).lock", waitingAtMost: Self.longestWait,
            missingFolder: { [folder] () throws(CredentialStoreError) in try FileSystem.makeFolders(folder) },
            tooLate: { process in
                let holder = process.map { "Process \($0)" } ?? "Another process"
                return CredentialStoreError(
                    .leaseHeld,
                    "\(holder) has been choosing where credentials are kept for more than \(Self.longestWait). Finish what it asks for, or end it.",
                    leaseHolder: process)
            })
        lock.sign()
        return lock
    }

    private var damaged: CredentialStoreError {
        CredentialStoreError(
            .corrupt,
            "\(path), which says where credentials are kept, is damaged. Put it back from a backup, or name the store yourself (such as file)."
        )
    }
}
