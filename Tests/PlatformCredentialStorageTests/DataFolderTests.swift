import AuthHubPrimitives
import Platform
@testable import CredentialStorage
import CredentialStorageTestSupport
import PlatformCredentialStorage
import Testing

/// Anyone with write permission on the data folder decides where tokens are stored and sent.
struct DataFolderTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let mode: mode_t
        /// The ID of another owner. Only root can change the owner of files.
        var owner: uid_t?
        /// The advice in the error; nil if there is none.
        var advice: String?
    }

    private static let rows = [
        Row(testDescription: "only for its owner", mode: 0o700),
        Row(testDescription: "others may read it", mode: 0o755),
        Row(testDescription: "the group may write to it", mode: 0o775, advice: "chmod go-w"),
        Row(testDescription: "everyone may write to it", mode: 0o777, advice: "chmod go-w"),
        Row(testDescription: "everyone may write to it, and delete only their own files", mode: 0o1777, advice: "chmod go-w"),
        Row(testDescription: "another user's", mode: 0o755, owner: 12_345, advice: "chown \(geteuid())"),
    ]

    @Test(arguments: rows)
    func `every call rejects a data folder that others could change`(row: Row) async throws {
        guard row.owner == nil || geteuid() == 0 else { return }
        let bench = try PlatformBench(keyring: .absent(.init(.unavailable, "There is no session bus.")))
        for wanted in [nil, CredentialStoreKind.encryptedFile] {
            let store = bench.store(wanted: wanted)
            _ = try await store.overwrite(.octocat, with: Secret([1]))
            try Self.alter(bench.folder.path, row)
            let failure = await Self.failure(of: .read, store)
            #expect((failure == nil) == (row.advice == nil), "\(String(describing: failure))")
            if let failure, let advice = row.advice {
                #expect(failure.code == .refused)
                #expect(failure.explanation.contains("\(advice) \(bench.folder.path.shellWord)"), "\(failure)")
                for call in Call.allCases {
                    let refusal = await Self.failure(of: call, store)
                    #expect(refusal?.code == .refused, "\(call)")
                }
            }
            try check(chown(bench.folder.path, geteuid(), getegid()), "chown", bench.folder.path)
            try check(chmod(bench.folder.path, 0o700), "chmod", bench.folder.path)
        }
    }

    @Test(arguments: rows)
    func `rejects a file that others could change`(row: Row) throws {
        guard row.owner == nil || geteuid() == 0 else { return }
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/provider.json"
        #expect(try DataFolder.contents(of: path, atMost: 8) == nil)
        try DataFolder.replace(path, with: [1, 2])
        #expect(try mode(of: path) == 0o600)
        try Self.alter(path, row)
        let failure = Self.failure(reading: path)
        #expect((failure == nil) == (row.advice == nil))
        if let failure, let advice = row.advice { #expect(failure.explanation.contains("\(advice) \(path.shellWord)"), "\(failure)") }
    }

    @Test func `no file counts as ours if our user ID stands for other users, too`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/provider.json"
        try DataFolder.replace(path, with: [1])
        let user = geteuid()
        let namespace = UserNamespace(map: "\(user) 1000 1", overflowID: "\(user)")
        let file = try #require(try FileStatus.of(path))
        let parent = try #require(try FileStatus.of(folder.path))
        try file.requirePrivateFile(path)
        #expect(Self.doubts { () throws(CredentialStoreError) in try file.requirePrivateFile(path, in: namespace) })
        #expect(Self.doubts { () throws(CredentialStoreError) in try parent.requirePrivateFolder(folder.path, in: namespace) })
        guard user != 0 else { return }
        #expect(Self.doubts { () throws(CredentialStoreError) in try file.requireTrustedFile(path, in: namespace) })
        #expect(Self.doubts { () throws(CredentialStoreError) in try parent.requireTrustedFolder(folder.path, in: namespace) })
    }

    private static func doubts(_ check: () throws(CredentialStoreError) -> Void) -> Bool {
        do {
            try check()
            return false
        } catch {
            return error.code == .refused && error.explanation.contains("represents every user")
        }
    }

    @Test func `a command in advice works for every path`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/it's $HOME"
        try write([1], to: path)
        try check(chmod(path, 0o622), "chmod", path)
        #expect(Self.failure(reading: path)?.explanation.hasSuffix(#"chmod go-w '\#(folder.path)/it'\''s $HOME'"#) == true)
    }

    @Test func `does not follow symbolic links`() throws {
        let folder = try TemporaryFolder()
        let link = "\(folder.path)/link"
        try check(symlink("\(folder.path)/target", link), "symlink", link)
        try write([1], to: "\(folder.path)/target")
        #expect(Self.failure(reading: link)?.code == .refused)
        #expect(throws: CredentialStoreError.self) { try DataFolder.check(link) }
    }

    private static func alter(_ path: String, _ row: Row) throws {
        try check(chmod(path, row.mode), "chmod", path)
        if let owner = row.owner { try check(chown(path, owner, getegid()), "chown", path) }
    }

    private enum Call: CaseIterable {
        case read, write, delete, inventory, prepareToWrite, lease, report

        func perform(_ store: PlatformCredentialStore) async throws(CredentialStoreError) {
            switch self {
            case .read: _ = try await store.read(.octocat)
            case .write: _ = try await store.overwrite(.octocat, with: Secret([2]))
            case .delete: try await store.delete(.octocat, at: nil)
            case .inventory: _ = try await store.inventory()
            case .prepareToWrite: try await store.prepareToWrite(for: .octocat)
            case .lease: _ = try await store.lease(.octocat, waitingAtMost: .zero)
            case .report: _ = try await store.report()
            }
        }
    }

    private static func failure(of call: Call, _ store: PlatformCredentialStore) async -> CredentialStoreError? {
        do throws(CredentialStoreError) {
            try await call.perform(store)
            return nil
        } catch {
            return error
        }
    }

    private static func failure(reading path: String) -> CredentialStoreError? {
        do throws(CredentialStoreError) {
            _ = try DataFolder.contents(of: path, atMost: 8)
            return nil
        } catch {
            return error
        }
    }
}
