import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import Platform
import Testing

struct EncryptedFileStoreTests {
    @Test func `folders and files are accessible only to their owner, and show neither payload nor account`() async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        try await store.store("canary-payload", for: .octocat)
        try await store.lease(.octocat, waitingAtMost: .zero).release()
        for path in ["\(folder.path)/service", folder.storePath, "\(folder.storePath)/locks"] { #expect(try mode(of: path) == 0o700) }
        for path in [try folder.recordPath(), folder.keyPath] { #expect(try mode(of: path) == 0o600) }
        for name in try names(in: "\(folder.storePath)/locks") {
            #expect(try mode(of: "\(folder.storePath)/locks/\(name)") == 0o600)
            // The rest is the generation mark, without a signature.
            let rest = try contents(of: "\(folder.storePath)/locks/\(name)").dropFirst(name.hasSuffix(".write") ? 64 : 0)
            #expect(rest.allSatisfy { $0 == 0 })
        }
        let file = String(decoding: try contents(of: folder.recordPath()), as: UTF8.self)
        #expect(!file.contains("canary") && !file.contains("octocat"))
    }

    @Test func `reading creates nothing, and a second write leaves one file`() async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        #expect(try store.readNow(.octocat) == nil)
        #expect(try await store.accounts().isEmpty)
        #expect(try await store.delete(.octocat, at: nil))
        #expect(try names(in: folder.path).isEmpty)
        let version = try await store.store("first", for: .octocat)
        try await store.store("second", for: .octocat, replacing: version)
        #expect(try names(in: folder.storePath).count == 2)
        #expect(try store.readNow(.octocat)?.text == "second")
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let spoil: @Sendable (_ folder: String, _ record: String) throws -> Void
    }

    @Test(arguments: [
        Row(testDescription: "others may read the file", spoil: { try check(chmod($1, 0o640), "chmod", $1) }),
        Row(testDescription: "others may write the file", spoil: { try check(chmod($1, 0o602), "chmod", $1) }),
        Row(testDescription: "others may list the folder", spoil: { folder, _ in try check(chmod(folder, 0o750), "chmod", folder) }),
        Row(
            testDescription: "the file is a symbolic link",
            spoil: {
                try check(rename($1, "\($0)/elsewhere"), "rename", $1)
                try check(symlink("\($0)/elsewhere", $1), "symlink", $1)
            }),
        Row(
            testDescription: "the folder is a symbolic link",
            spoil: { folder, _ in
                try check(rename(folder, "\(folder).elsewhere"), "rename", folder)
                try check(symlink("\(folder).elsewhere", folder), "symlink", folder)
            }),
        Row(
            testDescription: "the file is a pipe, which does not block",
            spoil: {
                try check(unlink($1), "unlink", $1)
                try check(mkfifo($1, 0o600), "mkfifo", $1)
            }),
    ])
    func `readers and writers reject files that others could have changed`(row: Row) async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        let version = try await store.store("record", for: .octocat)
        try row.spoil(folder.storePath, folder.recordPath())
        #expect(await code { () throws(CredentialStoreError) in _ = try await store.read(.octocat) } == .refused)
        #expect(
            await code { () throws(CredentialStoreError) in
                _ = try await store.write(Secret([1]), for: .octocat, replacing: version)
            } == .refused)
        #expect(await code { () throws(CredentialStoreError) in _ = try await store.accounts() } == .refused)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"), arguments: ["record", "folder", "locks"])
    func `rejects files of another owner, even as root`(what: String) async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        let version = try await store.store("record", for: .octocat)
        let lock = try #require(names(in: "\(folder.storePath)/locks").first)
        let path =
            switch what {
            case "record": try folder.recordPath()
            case "folder": folder.storePath
            default: "\(folder.storePath)/locks/\(lock)"
            }
        try check(chown(path, 1, 1), "chown", path)
        #expect(
            await code { () throws(CredentialStoreError) in
                _ = try await store.write(Secret([1]), for: .octocat, replacing: version)
            } == .refused)
    }

    @Test func `checking for room changes no record, and leaves no files`() async throws {
        let folder = try TemporaryFolder()
        let store = folder.store()
        try await store.prepareToWrite(for: .octocat)
        let version = try await store.store("record", for: .octocat)
        let before = try contents(of: folder.recordPath())
        try await store.prepareToWrite(for: .octocat)
        #expect(try contents(of: folder.recordPath()) == before)
        #expect(try store.readNow(.octocat)?.version == version)
        #expect(try names(in: folder.storePath).count == 2)
    }

    @Test func `there is room if the existing record is lost for good`() async throws {
        let folder = try TemporaryFolder()
        try await folder.store().store("record", for: .octocat)
        let bytes = try contents(of: folder.recordPath())
        try write(bytes.replacing(bytes.count - 1, with: ~bytes[bytes.count - 1]), to: folder.recordPath())
        try await folder.store().prepareToWrite(for: .octocat)
        #expect(await code { () throws(CredentialStoreError) in _ = try await folder.store().read(.octocat) } == .corrupt)
    }

    @Test(arguments: [StorageStep.temporaryCreated, .temporaryWritten, .temporarySynchronized])
    func `reports that there is no room for a record before it is written`(step: StorageStep) async throws {
        let folder = try TemporaryFolder()
        try await folder.store().store("record", for: .octocat)
        let full = folder.store { reached throws(CredentialStoreError) in
            if reached == step { throw CredentialStoreError(.full, "Ordered by the test.") }
        }
        #expect(await code { () throws(CredentialStoreError) in try await full.prepareToWrite(for: .octocat) } == .full)
        #expect(try folder.store().readNow(.octocat)?.text == "record")
        #expect(try names(in: folder.storePath).count == 2)
    }

    @Test func `names the process that holds a lease to callers that wait too long`() async throws {
        let folder = try TemporaryFolder()
        let lease = try await folder.store().lease(.octocat, waitingAtMost: .zero)
        do {
            _ = try await folder.store().lease(.octocat, waitingAtMost: .milliseconds(5))
            Issue.record("Two hold the lease.")
        } catch {
            #expect(error.code == .leaseHeld)
            #expect(error.explanation.contains("process \(getpid()) "))
        }
        await lease.release()
    }

    @Test func `a released lease is free even if a child process that is starting has a copy of its descriptor`() async throws {
        let folder = try TemporaryFolder()
        let lease = try await folder.store().lease(.octocat, waitingAtMost: .zero)
        let lock = try #require(names(in: "\(folder.storePath)/locks").first)
        let copies = try copyDescriptors(of: "\(folder.storePath)/locks/\(lock)")
        defer { for copy in copies { close(copy) } }
        try #require(copies.count == 1)
        await lease.release()
        try await folder.store().lease(.octocat, waitingAtMost: .zero).release()
    }

    /// Copies this process's descriptors of a file, as `fork` does until `exec` closes the copies.
    private func copyDescriptors(of path: String) throws -> [Int32] {
        var wanted = stat()
        try check(lstat(path, &wanted), "lstat", path)
        let descriptors = (Int32(0)..<4_096).filter { descriptor in
            var found = stat()
            return fstat(descriptor, &found) == 0 && found.st_ino == wanted.st_ino && found.st_dev == wanted.st_dev
        }
        return descriptors.map { dup($0) }
    }
}
