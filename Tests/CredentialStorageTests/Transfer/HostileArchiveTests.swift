import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import Crypto
import Testing

/// Tests with archives that were changed by accident or on purpose.
struct HostileArchiveTests {
    private let folder: TemporaryFolder
    private let archive: CredentialArchive

    init() async throws {
        folder = try TemporaryFolder()
        archive = CredentialArchive(path: "\(folder.path)/archive", cost: .low)
        let store = MemoryCredentialStore()
        for account in [CredentialAccount.octocat, .hubot] { try await store.store("record", for: account) }
        try await archive.export(store) { _ in Secret(Array("right".utf8)) }
    }

    @Test func `finds any damage before it asks for the passphrase, and imports nothing`() async throws {
        let file = try contents(of: archive.path)
        let prompt = ScriptedPrompt()
        for bytes in file.indices.map({ file.replacing($0, with: file[$0] ^ 0x40) }) + (0..<file.count).map({ Array(file[..<$0]) }) + [
            file + [0]
        ] {
            try write(bytes, to: archive.path)
            let isNewer = bytes.count > 4 && bytes[4] > file[4]
            #expect(await failure(prompt) == (isNewer ? .tooNew : .corrupt), "\(bytes.count) bytes")
        }
        #expect(prompt.asked.isEmpty)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout [UInt8]) -> Void
        let expected: CredentialStoreError.Code
        var isAsked = true
    }

    @Test(arguments: [
        Row(testDescription: "another kind", change: { $0[3] = UInt8(ascii: "K") }, expected: .corrupt, isAsked: false),
        Row(testDescription: "format 0", change: { $0[4] = 0 }, expected: .corrupt, isAsked: false),
        Row(testDescription: "format 2", change: { $0[4] = 2 }, expected: .tooNew, isAsked: false),
        Row(testDescription: "format 255", change: { $0[4] = 255 }, expected: .tooNew, isAsked: false),
        Row(testDescription: "2^63 rounds", change: { $0[5] = 63 }, expected: .refused, isAsked: false),
        Row(testDescription: "2^19 rounds, 512 MiB", change: { $0[5] = 19 }, expected: .refused, isAsked: false),
        Row(testDescription: "2^11 rounds", change: { $0[5] = 11 }, expected: .refused, isAsked: false),
        Row(testDescription: "block size 16", change: { $0[6] = 16 }, expected: .refused, isAsked: false),
        Row(testDescription: "parallelization 5", change: { $0[7] = 5 }, expected: .refused, isAsked: false),
        Row(testDescription: "2^13 rounds, which is acceptable", change: { $0[5] = 13 }, expected: .refused),
        Row(testDescription: "a different salt", change: { $0[39] ^= 1 }, expected: .refused),
        Row(
            testDescription: "contents of 2^64 - 1 bytes", change: { for offset in 40..<48 { $0[offset] = 255 } }, expected: .corrupt,
            isAsked: false),
        Row(testDescription: "contents of 2^63 bytes", change: { $0[40] = 128 }, expected: .corrupt, isAsked: false),
        Row(testDescription: "contents beyond the limit", change: { $0[44] = 9 }, expected: .corrupt, isAsked: false),
        Row(testDescription: "contents one byte longer", change: { $0[47] += 1 }, expected: .corrupt, isAsked: false),
        Row(testDescription: "contents one byte shorter", change: { $0[47] -= 1 }, expected: .corrupt, isAsked: false),
        Row(testDescription: "a different nonce", change: { $0[48] ^= 1 }, expected: .refused),
        Row(testDescription: "a different first byte of the contents", change: { $0[60] ^= 1 }, expected: .refused),
        Row(testDescription: "a different tag", change: { $0[$0.count - 1] ^= 1 }, expected: .refused),
    ])
    func `a file changed on purpose, including its checksum, imports nothing and allocates little memory`(row: Row) async throws {
        var file = Array(try contents(of: archive.path).dropLast(32))
        row.change(&file)
        try write(file.withSum, to: archive.path)
        let prompt = ScriptedPrompt(.says("right"))
        #expect(await failure(prompt) == row.expected)
        #expect(prompt.asked == (row.isAsked ? [.open(attempt: 1)] : []))
    }

    struct Contents: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
    }

    private static let identity = CredentialAccount.octocat.identity
    private static let record = identity + [0, 0, 0, 1, 9] + [0, 0, 0, 2, 1, 2]

    /// Archives from an attacker who knows the passphrase.
    @Test(arguments: [
        Contents(testDescription: "nothing", bytes: []),
        Contents(testDescription: "half a number", bytes: [0, 0]),
        Contents(testDescription: "2^32 - 1 records, with none", bytes: [255, 255, 255, 255]),
        Contents(testDescription: "2^32 - 1 records, with one", bytes: [255, 255, 255, 255] + record),
        Contents(testDescription: "one record more than there is", bytes: [0, 0, 0, 2] + record),
        Contents(testDescription: "one record less than there is", bytes: [0, 0, 0, 1] + record + record),
        Contents(testDescription: "a duplicate account", bytes: [0, 0, 0, 2] + record + record),
        Contents(testDescription: "a name of 2^32 - 1 bytes", bytes: [0, 0, 0, 1, 255, 255, 255, 255, 1, 2, 3]),
        Contents(
            testDescription: "a name that is not UTF-8",
            bytes: [0, 0, 0, 1, 0, 0, 0, 1, 255] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 0]),
        Contents(testDescription: "a version of 2^32 - 1 bytes", bytes: [0, 0, 0, 1] + identity + [255, 255, 255, 255, 1]),
        Contents(testDescription: "a payload of 2^32 - 1 bytes", bytes: [0, 0, 0, 1] + identity + [0, 0, 0, 0, 255, 255, 255, 255, 1]),
        Contents(
            testDescription: "a payload larger than a store accepts",
            bytes: [0, 0, 0, 1] + identity + [0, 0, 0, 0, 0, 16, 0, 1] + [UInt8](repeating: 0, count: (1 << 20) + 1)),
        Contents(testDescription: "a byte after the last record", bytes: [0, 0, 0, 1] + record + [0]),
    ])
    func `an archive that opens and contains incomplete records imports nothing`(row: Contents) async throws {
        try write(sealed(row.bytes), to: archive.path)
        #expect(await failure(ScriptedPrompt(.says("right"))) == .corrupt)
        // Everything except the part that the row changes is complete.
        try write(sealed([0, 0, 0, 1] + Self.record), to: archive.path)
        #expect(await failure(ScriptedPrompt(.says("right"))) == nil)
    }

    @Test func `reports a wrong passphrase as such, and allows as many corrections as stated`() async throws {
        #expect(await failure(ScriptedPrompt(.says("wrong"))) == .refused)
        #expect(await failure(ScriptedPrompt(.says("wrong"), .says("right"))) == .refused)
        #expect(await failure(ScriptedPrompt(.says("wrong"), .says("right")), attempts: 2) == nil)
        #expect(await failure(ScriptedPrompt(.declines)) == .dismissed)
        #expect(await failure(ScriptedPrompt()) == .locked)
    }

    /// Returns the error code, and checks that nothing was imported after the error.
    private func failure(_ prompt: ScriptedPrompt, attempts: Int = 1) async -> CredentialStoreError.Code? {
        let store = MemoryCredentialStore()
        let code = await code { () throws(CredentialStoreError) in
            let report = try await archive.importRecords(into: store, attempts: attempts) { purpose throws(CredentialStoreError) in
                try prompt.answer(purpose)
            }
            #expect(report.isComplete && !report.entries.isEmpty)
        }
        if code != nil { #expect((try? await store.accounts()) == []) }
        return code
    }

    /// Creates a complete archive with any contents, as the table of the format describes it.
    private func sealed(_ contents: [UInt8]) throws -> [UInt8] {
        let salt = [UInt8](repeating: 3, count: 32)
        let length = (0..<8).reversed().map { UInt8(truncatingIfNeeded: contents.count >> ($0 * 8)) }
        let header = Array("AHCA".utf8) + [1, 12, 8, 1] + salt + length
        let key = try PassphraseCost.low.key(from: Secret(Array("right".utf8)), salt: salt)
        let box = try AES.GCM.seal(contents, using: key, authenticating: header)
        return (header + Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)).withSum
    }
}
