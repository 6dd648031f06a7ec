import AuthHubPrimitives

/// All records of a store in one file that is encrypted with a passphrase: for another machine, or for a safe place.
///
/// Accounts, versions and payloads are encrypted with AES-256-GCM, with a key that scrypt derives from the passphrase. None of them is
/// visible, and nothing is written to the disk unencrypted. An archive contains the records at the time of the export: if a server issues
/// a new refresh token at each refresh, it is useful only until the next refresh.
package struct CredentialArchive: Sendable {
    /// The path of the archive file.
    package let path: String
    private let cost: PassphraseCost
    private let reached: @Sendable () throws(CredentialStoreError) -> Void

    /// Creates an archive without accessing the file.
    ///
    /// - Parameter path: The path of the file. It is created for its owner only, and never replaces another file.
    package init(path: String) {
        self.init(path: path, cost: .recommended)
    }

    /// Creates an archive with a hook for tests.
    ///
    /// - Parameter reached: Called when the complete file exists under a temporary name.
    package init(
        path: String, cost: PassphraseCost, reached: @escaping @Sendable () throws(CredentialStoreError) -> Void = {}
    ) {
        self.path = path
        self.cost = cost
        self.reached = reached
    }

    /// The maximum size of an archive's contents, in bytes: 128 MiB.
    package static let largestContents = 128 << 20

    private static let kind = PassphraseEnvelope.Kind(
        magic: Array("AHCA".utf8), name: "archive", visibleLength: 0, largestContents: largestContents)
    private static let blocking = BlockingCalls(named: "authhub.archive", concurrent: true)
}

extension CredentialArchive {
    /// Encrypts all records of a store into the new file, including those stored alongside the accounts, if the store can list them.
    ///
    /// - Returns: The accounts whose records it contains, and the errors of unreadable records, which it does not contain.
    /// - Throws: ``CredentialStoreError`` with `.refused` if the file already exists, or the passphrase is empty; with `.unavailable` if
    ///   its folder does not exist; with `.tooLarge` for more than ``largestContents``; the errors of the store and the prompt. No file is
    ///   created in these cases.
    @discardableResult
    package func export(
        _ store: any CredentialStore, prompt: @escaping PassphrasePrompt
    ) async throws(CredentialStoreError) -> (accounts: [CredentialAccount], unreadable: [CredentialStoreError]) {
        try requireFreePlace()
        let (accounts, unreadable) = try await store.allRecords()
        var records: [ArchivedRecord] = []
        var size = 0
        for account in accounts {
            // nil: deleted since the records were listed.
            guard let credential = try await store.read(account) else { continue }
            records.append(ArchivedRecord(account: account, version: credential.version, payload: credential.payload))
            size += credential.payload.reveal().count
            guard size <= Self.largestContents else { throw tooLarge.ofArchive }
        }
        try await write(records, prompt)
        return (records.map(\.account), unreadable)
    }

    private func write(_ records: [ArchivedRecord], _ prompt: @escaping PassphrasePrompt) async throws(CredentialStoreError) {
        do throws(CredentialStoreError) {
            try await Self.blocking.run { () throws(CredentialStoreError) in
                var contents = ArchivedRecords.bytes(of: records)
                defer { contents.overwrite() }
                let bytes = try PassphraseEnvelope.seal(contents, as: Self.kind, with: prompt(.choose), cost: cost)
                guard try FileSystem.makeFile(path, holding: bytes, reached: reached) else { throw existing }
            }
        } catch {
            throw error.ofArchive
        }
    }

    /// Opens the file, and asks for the passphrase only if it is complete.
    func records(
        attempts: Int, prompt: @escaping PassphrasePrompt
    ) async throws(CredentialStoreError) -> [ArchivedRecord] {
        do throws(CredentialStoreError) {
            return try await Self.blocking.run { () throws(CredentialStoreError) in
                let envelope = try PassphraseEnvelope(reading: file(), as: Self.kind, at: path)
                var contents = try envelope.contents(asking: prompt, attempts: attempts, path: path)
                defer { contents.overwrite() }
                guard let records = ArchivedRecords.reading(contents) else {
                    throw CredentialStoreError(
                        .corrupt, "the archive \(path) can be decrypted but its records are incomplete; export them again")
                }
                return records
            }
        } catch {
            throw error.ofArchive
        }
    }

    private func file() throws(CredentialStoreError) -> [UInt8] {
        guard try FileStatus.of(path)?.isPlainFile != false else {
            throw CredentialStoreError(
                .refused, "\(path) is not a regular file (symbolic links are not followed); name the exported file")
        }
        guard let bytes = try FileSystem.privateFile(path, atMost: Self.kind.largestFile) else {
            throw CredentialStoreError(.unavailable, "there is no archive at \(path); check the path")
        }
        return bytes
    }

    private func requireFreePlace() throws(CredentialStoreError) {
        do throws(CredentialStoreError) {
            guard try FileStatus.of(path) == nil else { throw existing }
            let folder = FileSystem.parent(of: path)
            guard try FileStatus.of("\(folder)/.") != nil else {
                throw CredentialStoreError(
                    .unavailable, "the folder \(folder) for the archive does not exist; create it, or choose another path")
            }
        } catch {
            throw error.ofArchive
        }
    }
}

extension CredentialArchive {
    private var existing: CredentialStoreError {
        CredentialStoreError(.refused, "\(path) already exists and is not overwritten; choose another name")
    }

    private var tooLarge: CredentialStoreError {
        CredentialStoreError(
            .tooLarge, "the records exceed the limit of \(Self.largestContents) bytes for an archive; move the store instead")
    }
}
