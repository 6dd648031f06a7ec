import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import Platform
import Testing

struct PlainFileStoreTests {
    private let folder: TemporaryFolder
    private let store: any CredentialInventory

    init() throws {
        folder = try TemporaryFolder()
        store = folder.anyStore(.plain)
    }

    @Test func `records are accessible only to their owner, and anyone who can read them has the tokens`() async throws {
        try await store.store("canary-payload", for: .octocat)
        for path in ["\(folder.path)/service", folder.storePath, "\(folder.storePath)/locks"] { #expect(try mode(of: path) == 0o700) }
        #expect(try mode(of: folder.recordPath()) == 0o600)
        #expect(String(decoding: try contents(of: folder.recordPath()), as: UTF8.self).contains("canary-payload"))
        #expect(try names(in: "\(folder.path)/service") == ["credentials"])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let spoil: @Sendable (_ folder: String, _ record: String) throws -> Void
        var expected = CredentialStoreError.Code.refused
    }

    @Test(arguments: [
        Row(testDescription: "others may read the file", spoil: { try check(chmod($1, 0o640), "chmod", $1) }),
        Row(testDescription: "others may list the folder", spoil: { folder, _ in try check(chmod(folder, 0o750), "chmod", folder) }),
        Row(
            testDescription: "the file is a symbolic link",
            spoil: {
                try check(rename($1, "\($0)/elsewhere"), "rename", $1)
                try check(symlink("\($0)/elsewhere", $1), "symlink", $1)
            }),
        Row(testDescription: "truncated", spoil: { try alter($1) { $0.removeLast() } }, expected: .corrupt),
        Row(testDescription: "longer", spoil: { try alter($1) { $0.append(0) } }, expected: .corrupt),
        Row(testDescription: "one bit changed", spoil: { try alter($1) { $0[$0.count - 1] ^= 1 } }, expected: .corrupt),
        Row(testDescription: "with another generation", spoil: { try alter($1) { $0[12] ^= 1 } }, expected: .corrupt),
        Row(testDescription: "empty", spoil: { try write([], to: $1) }, expected: .corrupt),
        Row(testDescription: "of a later format", spoil: { try alter($1) { $0[4] = 2 } }, expected: .tooNew),
    ])
    func `neither reads nor replaces files that are damaged or that others could have changed`(row: Row) async throws {
        let version = try await store.store("record", for: .octocat)
        try row.spoil(folder.storePath, folder.recordPath())
        #expect(await code { () throws(CredentialStoreError) in _ = try await store.read(.octocat) } == row.expected)
        #expect(
            await code { () throws(CredentialStoreError) in
                _ = try await store.write(Secret([1]), for: .octocat, replacing: version)
            } == row.expected)
    }

    @Test(arguments: StoreForm.allCases)
    func `neither file store takes the other's records for damaged ones, or removes them`(form: StoreForm) async throws {
        let other = form == .plain ? StoreForm.sealed : .plain
        try await folder.anyStore(form).store("record", for: .octocat)
        let record = try contents(of: folder.recordPath())
        #expect(await code { () throws(CredentialStoreError) in _ = try await folder.anyStore(other).read(.octocat) } == .refused)
        #expect(try await folder.anyStore(other).removeUnreadable() == 0)
        #expect(try contents(of: folder.recordPath()) == record)
    }
}
