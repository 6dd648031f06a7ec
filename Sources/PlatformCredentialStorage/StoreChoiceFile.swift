import AuthHubPrimitives
import CredentialStorage

/// The record of which store was chosen: a small text in the service's data folder, which appears whole.
struct StoreChoiceFile: Sendable {
    /// How long a process waits for another that is choosing: a person may be asked to unlock or to make a store meanwhile.
    private static let longestWait = Duration.seconds(150)

    let path: String

    private var folder: String { FileSystem.parent(of: path) }
}

extension StoreChoiceFile {
    /// - Throws: ``CredentialStoreError`` with `.refused` if other users may write to the data folder.
    func checkFolder() throws(CredentialStoreError) {
        try DataFolder.check(folder)
    }

    /// - Returns: Nil where nothing was chosen.
    /// - Throws: ``CredentialStoreError`` with `.corrupt`, `.tooNew` or `.refused`, and the file is kept.
    func read() throws(CredentialStoreError) -> StoreDecision? {
        guard let file = try POSIXFile.open(path, to: .read) else { return nil }
        try file.status().requirePrivateFile(path)
        let bytes = try file.read(atMost: StoreDecision.largestSize + 1)
        return try StoreDecision(bytes.count <= StoreDecision.largestSize ? String(decoding: bytes, as: UTF8.self) : "", at: path)
    }

    /// Records a choice in the place of an older one.
    func write(_ decision: StoreDecision) throws(CredentialStoreError) {
        try FileSystem.makeFolders(folder)
        try FileSystem.replaceFile(path, with: Array(decision.text.utf8))
    }

    /// Keeps all other processes from choosing.
    func lock() async throws(CredentialStoreError) -> FileLock {
        let lock = try await FileLock.acquire(
            "\(path).lock", waitingAtMost: Self.longestWait,
            missingFolder: { [folder] () throws(CredentialStoreError) in try FileSystem.makeFolders(folder) },
            tooLate: { process in
                let holder = process.map { "process \($0)" } ?? "another process"
                return CredentialStoreError(
                    .leaseHeld,
                    "\(holder) has been choosing a credential store for more than \(Self.longestWait.inWords); answer its prompt, or end it",
                    leaseHolder: process)
            })
        lock.sign()
        return lock
    }
}
