/// The locks of a store between processes: two files for each account, in a folder that only its owner may use.
///
/// Any store on this machine can exclude writers and lease holders of all processes by them; its records need not be files.
package struct LockFolder: Sendable {
    /// How long a writer waits for others. Each holds the lock for one write, but on a machine that is busy, or whose disk is, a few of them
    /// take long; and what cannot be written may be the only copy of a token that was renewed.
    private static let longestWriteWait = Duration.seconds(60)

    let path: String
    /// Makes the folder before its first lock.
    private let create: @Sendable () throws(CredentialStoreError) -> Void

    init(path: String, create: @escaping @Sendable () throws(CredentialStoreError) -> Void) {
        self.path = path
        self.create = create
    }

    /// A folder of its own, which is made with its parents when it is first needed.
    package init(path: String) {
        self.init(path: path) { () throws(CredentialStoreError) in
            try FileSystem.makeFolders(path)
            try FileStatus.of(path)?.requirePrivateFolder(path)
        }
    }
}

extension LockFolder {
    private static let writeExtension = ".write"

    private func writePath(_ account: CredentialAccount.ID) -> String {
        "\(path)/\(account.bytes.hexadecimal)\(Self.writeExtension)"
    }

    /// The mark that a writer of the account left, read without its lock; empty where none did.
    package func mark(_ account: CredentialAccount.ID) throws(CredentialStoreError) -> [UInt8] {
        guard let file = try POSIXFile.open(writePath(account), to: .read) else { return [] }
        return try file.read(atMost: FileLock.markSize)
    }

    /// All accounts that ever had a writer.
    package func writtenAccounts() throws(CredentialStoreError) -> [CredentialAccount.ID] {
        try FileSystem.names(in: path).compactMap { name in
            guard name.hasSuffix(Self.writeExtension) else { return nil }
            return CredentialAccount.ID(hexadecimal: name.dropLast(Self.writeExtension.count))
        }
    }

    /// Excludes others from something that concerns the store as a whole.
    package func lock(
        named name: String, tooLate: (Int32?) -> CredentialStoreError
    ) async throws(CredentialStoreError) -> FileLock {
        let lock = try await FileLock.acquire(
            "\(path)/\(name)", waitingAtMost: Self.longestWriteWait, missingFolder: create, tooLate: tooLate)
        lock.sign()
        return lock
    }

    /// Excludes other writers of the account's record.
    package func writeLock(_ account: CredentialAccount.ID) async throws(CredentialStoreError) -> FileLock {
        let lock = try await FileLock.acquire(
            writePath(account),
            isMarked: true,
            waitingAtMost: Self.longestWriteWait,
            missingFolder: create,
            notice: LockWait.current?.notify,
            tooLate: { .writeLockHeld(by: $0, waited: Self.longestWriteWait) })
        lock.sign()
        return lock
    }

    package func lease(_ account: CredentialAccount.ID, waitingAtMost timeout: Duration) async throws(CredentialStoreError)
        -> CredentialLease
    {
        let lock = try await FileLock.acquire(
            "\(path)/\(account.bytes.hexadecimal).lease",
            waitingAtMost: timeout,
            missingFolder: create,
            tooLate: { .leaseHeld(by: $0, waited: timeout) })
        lock.sign()
        return CredentialLease { lock.release() }
    }

    /// Excludes others who make the store's key; nil where one does.
    package func keyLockIfFree() throws(CredentialStoreError) -> FileLock? {
        try FileLock.attempt("\(path)/key.write", missingFolder: create)
    }
}
