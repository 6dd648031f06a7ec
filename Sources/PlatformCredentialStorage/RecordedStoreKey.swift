package import CredentialStorage
package import AuthHubPrimitives

/// The key of encrypted files from the source that was chosen for them. The first record chooses the source and records it next to the
/// files; from then on, it is that source or an error.
///
/// Files from before sources were recorded use their own key file.
package struct RecordedStoreKey: Sendable {
    private static let head = "AuthHub key source 1\n"
    private static let largestSize = 256

    /// The folder of the records.
    let records: String
    /// The file that records the choice: two lines, `AuthHub key source 1` and the name of the source.
    let recordPath: String
    let ownKeyFile: KeyFile
    package let search: StoreKeySearch
}

extension RecordedStoreKey: StoreKeySource {
    package func key(creatingIfMissing: Bool) throws(CredentialStoreError) -> Secret<[UInt8]>? {
        if let choice = try choice() { return try source(of: choice).key(creatingIfMissing: creatingIfMissing) }
        guard creatingIfMissing else { return nil }
        let chosen = try search.choose().choice
        try FileSystem.makeFolders(FileSystem.parent(of: recordPath))
        // Another process may have been faster; then its choice is used.
        _ = try FileSystem.makeFile(recordPath, holding: Self.text(chosen))
        guard let choice = try choice() else {
            throw CredentialStoreError(.failed, "\(recordPath) was removed a moment ago; try again")
        }
        return try source(of: choice).key(creatingIfMissing: true)
    }

    /// Returns the source of the recorded choice.
    ///
    /// - Throws: ``CredentialStoreError`` with `.keyMissing` if its file is missing and there are records, which a new key cannot open.
    func source(of choice: StoreKeyChoice) throws(CredentialStoreError) -> any StoreKeySource {
        do throws(CredentialStoreError) {
            return try search.source(of: choice)
        } catch {
            let hasRecords = try FileSystem.names(in: records).contains { RecordName(fileName: $0) != nil }
            guard hasRecords, let missing = error.underlying as? MissingKeyFile else { throw error }
            throw CredentialStoreError(.keyMissing, missing.advice(forRecordsIn: records), underlying: missing)
        }
    }

    /// Returns the source that was chosen; nil if none was yet.
    package func choice() throws(CredentialStoreError) -> StoreKeyChoice? {
        try DataFolder.check(FileSystem.parent(of: recordPath))
        guard let bytes = try FileSystem.privateFile(recordPath, atMost: Self.largestSize) else {
            return try FileStatus.of(ownKeyFile.path) == nil ? nil : .ownKeyFile
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let name = text.dropFirst(Self.head.count)
        guard text.hasPrefix(Self.head), name.count > 1, name.last == "\n", name.dropLast().utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw CredentialStoreError(
                .corrupt, "\(recordPath), which records the source of the store's key, is damaged; restore it from a backup"
            ).ofChoice
        }
        return StoreKeyChoice(rawValue: String(name.dropLast()))
    }

    func record(_ choice: StoreKeyChoice) throws(CredentialStoreError) {
        try FileSystem.replaceFile(recordPath, with: Self.text(choice))
    }

    private static func text(_ choice: StoreKeyChoice) -> [UInt8] {
        Array("\(head)\(choice.rawValue)\n".utf8)
    }
}
