package import CredentialStorage
import SecretServiceCredentialStorage

/// Encrypted files in a service's data folder, with all possible sources of their key.
package struct EncryptedFilePlace: Sendable {
    /// The folder of the records.
    package let records: String
    package let key: RecordedStoreKey
    package let passphraseKey: PassphraseKey

    /// Creates the value, without accessing any files.
    package init(service: String, folder: String, asking: PlatformAsking, environment: (String) -> String?) {
        records = "\(folder)/credentials"
        let ownKeyFile = KeyFile(path: "\(records).key")
        let passphraseKey = PassphraseKey(path: "\(records).sealed-key", attempts: asking.attempts, prompt: asking.passphrase)
        self.passphraseKey = passphraseKey
        let keyringKey = SecretServiceKey(
            service: service, locks: StoreCandidate.keyringLocks(service, folder), prompting: asking.prompting)
        let silentKey = SecretServiceKey(service: service, locks: StoreCandidate.keyringLocks(service, folder), prompting: .never)
        key = RecordedStoreKey(
            records: records, recordPath: "\(records).key-source", ownKeyFile: ownKeyFile,
            search: .standard(
                secretService: .secretService(
                    look: { () throws(CredentialStoreError) in
                        // Checked only when this store itself is created; a keyring that is ready would have been chosen for the records
                        // themselves. The check does not ask the user for anything; a locked keyring counts as available.
                        do throws(CredentialStoreError) {
                            _ = try silentKey.key(creatingIfMissing: false)
                        } catch  where error.code == .locked {}
                        return .ready
                    }, make: { keyringKey }),
                passphrase: .passphrase(passphraseKey, wrapped: { KernelKeyringCache($0) }) { () throws(CredentialStoreError) in
                    guard asking.hasPassphrase else {
                        throw CredentialStoreError(
                            .locked, "no passphrase was given; name a file that contains one in \(PlatformAsking.passphraseVariable)")
                    }
                },
                ownKeyFile: ownKeyFile, environment: environment))
    }

    package func open() -> EncryptedFileStore { EncryptedFileStore(folder: records, key: key) }
}

extension EncryptedFilePlace {
    /// Re-encrypts all records with a key from another source, or with a new key that is stored next to the records. Other programs can
    /// continue to read and write.
    ///
    /// May be interrupted at any point, and called again.
    ///
    /// - Returns: The number of re-encrypted records; 0 if the key already comes from that source, and it has no other key.
    /// - Throws: ``CredentialStoreError`` with `.unavailable` if there is no key yet; if a record cannot be opened, the error of that
    ///   record, and nothing is changed. Permanently damaged records are left as they are.
    package func rekey(to choice: StoreKeyChoice) async throws(CredentialStoreError) -> Int {
        let lock = try await changeLock()
        defer { lock.release() }
        return try await changeKey(to: choice)
    }

    /// Acquires the lock for changing the key, which is separate because a change replaces files.
    private func changeLock() async throws(CredentialStoreError) -> FileLock {
        let lock = try await FileLock.acquire(
            "\(records).rekey-lock", waitingAtMost: .seconds(30),
            missingFolder: { () throws(CredentialStoreError) in try FileSystem.makeFolders(FileSystem.parent(of: records)) },
            tooLate: { process in
                let holder = process.map { "process \($0)" } ?? "another process"
                return CredentialStoreError(
                    .leaseHeld, "\(holder) is replacing the store's key; wait for it to finish", leaseHolder: process)
            })
        lock.sign()
        return lock
    }

    private func changeKey(to choice: StoreKeyChoice) async throws(CredentialStoreError) -> Int {
        guard let current = try key.choice() else {
            throw CredentialStoreError(.unavailable, "there are no encrypted files in \(records) yet, so there is no key")
        }
        let unopened = try await open().inventory(includingUnlisted: true).unreadable.filter { !$0.asksForReplacement }
        if let first = unopened.first {
            throw CredentialStoreError(
                first.code, "\(unopened.count) of the records cannot be decrypted, so nothing was re-encrypted; \(first.explanation)",
                underlying: first.underlying)
        }
        if choice == .ownKeyFile { return try await renewOwnKey(current) }
        let source = choice == current ? try key.source(of: choice) : try key.search.newSource(choice)
        guard choice != current else {
            // An earlier run may have reached this point.
            try await end(source)
            try FileSystem.remove(key.ownKeyFile.path)
            return 0
        }
        let count = try await open().rekey(to: source, endingOldKey: false)
        // Both keys open all records now.
        try key.record(choice)
        try await end(source)
        try removeKey(of: current)
        return count
    }

    /// Replaces the passphrase for the same key. The prompt asks for the current one first.
    @concurrent
    package func changePassphrase() async throws(CredentialStoreError) {
        let lock = try await changeLock()
        defer { lock.release() }
        // An earlier run that switched to the passphrase may not have removed the previous key.
        if try FileStatus.of(key.ownKeyFile.path) != nil { _ = try await changeKey(to: .passphrase) }
        try await BlockingCalls(named: "authhub.passphrase", concurrent: true).run { () throws(CredentialStoreError) in
            try passphraseKey.changePassphrase()
        }
    }

    private func renewOwnKey(_ current: StoreKeyChoice) async throws(CredentialStoreError) -> Int {
        let next = KeyFile(path: "\(key.ownKeyFile.path).next")
        // An earlier run may have replaced the key already.
        if try FileStatus.of(next.path) == nil { try await end(try key.source(of: current)) }
        let count = try await open().rekey(to: next, endingOldKey: false)
        try FileSystem.rename(next.path, to: key.ownKeyFile.path)
        try FileSystem.synchronizeFolder(FileSystem.parent(of: next.path))
        try key.record(.ownKeyFile)
        try await end(key.ownKeyFile)
        if current != .ownKeyFile { try removeKey(of: current) }
        return count
    }

    private func end(_ source: any StoreKeySource) async throws(CredentialStoreError) {
        _ = try await EncryptedFileStore(folder: records, key: source).rekey(to: source)
    }

    /// Removes a key that is stored next to the records; other sources belong to the user.
    private func removeKey(of choice: StoreKeyChoice) throws(CredentialStoreError) {
        switch choice {
        case .ownKeyFile: try FileSystem.remove(key.ownKeyFile.path)
        case .passphrase: try FileSystem.remove(passphraseKey.path)
        default: break
        }
    }
}
