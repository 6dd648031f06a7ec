import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import Platform
import Testing

/// Tests with keys from outside the program: from systemd, or from a file that the user names.
struct OutsideKeyTests {
    private static let key = [UInt8](repeating: 7, count: 32)

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Damages a folder that contains a valid key in `authhub.key`, and returns the value of the variable.
        let prepare: @Sendable (_ folder: String, _ file: String) throws -> String?
        let expected: CredentialStoreError.Code?
    }

    @Test(arguments: [
        Row(testDescription: "as systemd sets it", prepare: { folder, _ in folder }, expected: nil),
        Row(testDescription: "no variable", prepare: { _, _ in nil }, expected: .unavailable),
        Row(testDescription: "an empty variable", prepare: { _, _ in "" }, expected: .unavailable),
        Row(
            testDescription: "a unit with other credentials only",
            prepare: { folder, file in
                try check(unlink(file), "unlink", file)
                return folder
            }, expected: .unavailable),
        Row(testDescription: "a missing folder", prepare: { folder, _ in "\(folder)/nowhere" }, expected: .unavailable),
        Row(testDescription: "a relative path", prepare: { _, _ in "credentials" }, expected: .refused),
        Row(
            testDescription: "others may read it",
            prepare: { folder, file in
                try check(chmod(file, 0o404), "chmod", file)
                return folder
            }, expected: .refused),
        Row(
            testDescription: "a group may write it",
            prepare: { folder, file in
                try check(chmod(file, 0o420), "chmod", file)
                return folder
            }, expected: .refused),
        Row(
            testDescription: "a symbolic link",
            prepare: { folder, file in
                try check(rename(file, "\(file).elsewhere"), "rename", file)
                try check(symlink("\(file).elsewhere", file), "symlink", file)
                return folder
            }, expected: .refused),
        Row(
            testDescription: "a pipe, which does not block",
            prepare: { folder, file in
                try check(unlink(file), "unlink", file)
                try check(mkfifo(file, 0o400), "mkfifo", file)
                return folder
            }, expected: .refused),
        Row(
            testDescription: "a line break after the key",
            prepare: { folder, file in
                try check(chmod(file, 0o600), "chmod", file)
                try write(key + [10], to: file)
                return folder
            }, expected: .corrupt),
    ])
    func `accepts the credential of a systemd service exactly as systemd sets it`(row: Row) async throws {
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/authhub.key"
        try write(Self.key, to: file, mode: 0o400)
        let value = try row.prepare(folder.path, file)
        let source = CredentialsDirectoryKey { $0 == "CREDENTIALS_DIRECTORY" ? value : nil }
        for creating in [false, true] {
            #expect(await code { () throws(CredentialStoreError) in _ = try source.key(creatingIfMissing: creating) } == row.expected)
        }
        if row.expected == nil { #expect(try source.key(creatingIfMissing: false)?.reveal() == Self.key) }
        if row.expected == .unavailable { #expect(!exists(file) || value != folder.path) }
    }

    @Test(
        .enabled(if: geteuid() == 0, "only root can give files away"),
        arguments: [
            (0o440, 0, nil), (0o440, 1, .refused), (0o400, 1, .refused),
        ] as [(UInt32, UInt32, CredentialStoreError.Code?)])
    func `accepts a credential of root that shows its access control list's mask, and rejects one of another owner`(
        mode: UInt32, owner: UInt32, expected: CredentialStoreError.Code?
    ) async throws {
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/authhub.key"
        try write(Self.key, to: file)
        try check(chmod(file, mode_t(mode)), "chmod", file)
        try check(chown(file, owner, owner), "chown", file)
        let source = CredentialsDirectoryKey { _ in folder.path }
        #expect(await code { () throws(CredentialStoreError) in _ = try source.key(creatingIfMissing: false) } == expected)
    }

    @Test(arguments: [
        Row(testDescription: "valid", prepare: { _, file in file }, expected: nil),
        Row(testDescription: "no variable", prepare: { _, _ in nil }, expected: .unavailable),
        Row(testDescription: "an empty variable", prepare: { _, _ in "" }, expected: .unavailable),
        Row(testDescription: "a typing error in the path", prepare: { _, file in "\(file)s" }, expected: .unavailable),
        Row(testDescription: "a relative path", prepare: { _, _ in "authhub.key" }, expected: .refused),
        Row(
            testDescription: "others may read it",
            prepare: { _, file in
                try check(chmod(file, 0o440), "chmod", file)
                return file
            }, expected: .refused),
        Row(testDescription: "a folder", prepare: { folder, _ in folder }, expected: .refused),
        Row(
            testDescription: "too short",
            prepare: { _, file in
                try check(chmod(file, 0o600), "chmod", file)
                try write([1], to: file)
                return file
            }, expected: .corrupt),
    ])
    func `uses the file that AUTHHUB_KEY_FILE names, and never creates it`(row: Row) async throws {
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/authhub.key"
        try write(Self.key, to: file, mode: 0o400)
        let value = try row.prepare(folder.path, file)
        let before = try names(in: folder.path)
        let source = EnvironmentKeyFile { $0 == "AUTHHUB_KEY_FILE" ? value : nil }
        for creating in [false, true] {
            #expect(await code { () throws(CredentialStoreError) in _ = try source.key(creatingIfMissing: creating) } == row.expected)
        }
        #expect(try names(in: folder.path) == before)
        if row.expected == nil { #expect(try source.key(creatingIfMissing: true)?.reveal() == Self.key) }
    }

    @Test func `a store that no longer receives its key says so, creates none, and keeps its records`() async throws {
        let folder = try TemporaryFolder()
        let file = "\(folder.path)/authhub.key"
        try write(Self.key, to: file, mode: 0o400)
        let sources: [any StoreKeySource] = [
            CredentialsDirectoryKey { _ in folder.path }, EnvironmentKeyFile { _ in file },
        ]
        for source in sources {
            try await EncryptedFileStore(folder: folder.storePath, key: source).store("record", for: .octocat)
            try check(rename(file, "\(file).away"), "rename", file)
            let store = EncryptedFileStore(folder: folder.storePath, key: source)
            #expect(await code { () throws(CredentialStoreError) in _ = try await store.read(.octocat) } == .unavailable)
            let writing = await code { () throws(CredentialStoreError) in
                _ = try await store.write(Secret([1]), for: .hubot, replacing: nil)
            }
            #expect(writing == .unavailable)
            try check(rename("\(file).away", file), "rename", file)
            #expect(try await store.read(.octocat)?.text == "record")
            #expect(try await store.delete(.octocat, at: nil))
        }
    }
}
