import AuthHubPrimitives
import CredentialStorage

/// The record of which store was chosen: a small text file in the service's data folder, written atomically.
struct StoreChoiceFile: Sendable {
    /// How long a process waits for another one that is choosing, which may be asking the user to unlock or create a store.
    private static let longestWait = Duration.seconds(150)

    let path: String

    private var folder: String { FileSystem.parent(of: path) }
}

extension StoreChoiceFile {
    /// Checks the permissions of the data folder.
    ///
    /// - Throws: ``CredentialStoreError`` with `.refused` if other users may write to it.
    func checkFolder() throws(CredentialStoreError) {
        try DataFolder.check(folder)
    }

    /// Reads the recorded choice.
    ///
    /// - Returns: nil if no store was chosen.
    /// - Throws: ``CredentialStoreError`` with `.corrupt`, `.tooNew` or `.refused`, and the file is not changed.
    func read() throws(CredentialStoreError) -> StoreDecision? {
        guard let file = try POSIXFile.open(path, to: .read) else { return nil }
        try file.status().requirePrivateFile(path)
        let bytes = try file.read(atMost: StoreDecision.largestSize + 1)
        return try StoreDecision(bytes.count <= StoreDecision.largestSize ? String(decoding: bytes, as: UTF8.self) : "", at: path)
    }

    /// Records a choice, and replaces an older one.
    func write(_ decision: StoreDecision) throws(CredentialStoreError) {
        try FileSystem.makeFolders(folder)
        try FileSystem.replaceFile(path, with: Array(decision.text.utf8))
    }

    /// Prevents all other processes from choosing.
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
