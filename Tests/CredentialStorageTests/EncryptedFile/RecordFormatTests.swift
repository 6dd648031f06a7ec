import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import Testing

/// Compares the contents of the files with those that other programs have computed.
struct RecordFormatTests {
    /// A record encrypted with the key of the 32 bytes from 0 to 31, by HKDF and AES-256-GCM of Python's `cryptography`.
    private static let firstFormat = bytes(
        hexadecimal:
            "41484352016465666768696a6b6c6d6e6f70717273c8c9cacbcccdcecfd0d1d2d3cc56c2e5c6dab0abac8087c872f306de4b42443268b6a31a7ce499af921592030606aff82e4d9c49b5cd7f92bed065d941189646f3fd5aa0549b846e0c0c41837b89a576233ed29fcd46"
    )
    private static let keyIdentifier = "3e5470cc576d2d04"

    private func folderOfFirstFormat() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try await folder.store().store("makes the folder", for: .octocat)
        #expect(try await folder.store().delete(.octocat, at: nil))
        try write(Array(0..<32), to: folder.keyPath)
        try write(Self.firstFormat, to: folder.recordPath(of: .octocat))
        return folder
    }

    @Test func `opens a record of the first format, and the next write uses the second`() async throws {
        let folder = try await folderOfFirstFormat()
        let found = try #require(try folder.store().readNow(.octocat))
        #expect(found.text == "of format 1")
        #expect(found.version.bytes == Array(100..<116))
        #expect(try contents(of: folder.recordPath()) == Self.firstFormat)
        try await folder.store().store("next", for: .octocat, replacing: found.version)
        let record = try contents(of: folder.recordPath())
        #expect(hexadecimal(record[..<21]) == hexadecimal(Array("AHCR".utf8)) + "02" + Self.keyIdentifier + "0000000000000001")
        #expect(try folder.store().readNow(.octocat)?.text == "next")
    }

    @Test func `a record of the first format that is restored after that is an old one`() async throws {
        let folder = try await folderOfFirstFormat()
        let version = try folder.store().readNow(.octocat)?.version
        try await folder.store().store("next", for: .octocat, replacing: version)
        try write(Self.firstFormat, to: folder.recordPath())
        #expect(await code { () throws(CredentialStoreError) in _ = try folder.store().readNow(.octocat) } == .rolledBack)
    }

    @Test func `each write and each deletion increments the generation`() async throws {
        let folder = try TemporaryFolder()
        func generation() throws -> UInt8 { try contents(of: folder.recordPath())[20] }
        let first = try await folder.store().store("first", for: .octocat)
        #expect(try generation() == 1)
        let second = try await folder.store().store("second", for: .octocat, replacing: first)
        #expect(try generation() == 2)
        try await folder.store().delete(.octocat, at: second)
        try await folder.store().store("third", for: .octocat)
        #expect(try generation() == 4)
    }

    @Test func `distinguishes a record of another key from a damaged one`() async throws {
        let folder = try TemporaryFolder()
        try await folder.store().store("record", for: .octocat)
        try write([UInt8](repeating: 1, count: 32), to: folder.keyPath)
        let other = await error { () throws(CredentialStoreError) in _ = try folder.store().readNow(.octocat) }
        #expect(other?.code == .keyMissing)
        #expect(try await folder.store().removeUnreadable() == 0)
        #expect(other?.explanation.contains("not with the store's current key") == true)
        #expect(other?.explanation.contains("damaged") == false)

        let damagedFolder = try TemporaryFolder()
        try await damagedFolder.store().store("record", for: .octocat)
        try alter(damagedFolder.recordPath()) { $0[$0.count - 1] ^= 1 }
        let damaged = await error { () throws(CredentialStoreError) in _ = try damagedFolder.store().readNow(.octocat) }
        #expect(damaged?.code == .corrupt)
        #expect(damaged?.explanation.contains("damaged") == true)
        #expect(damaged?.explanation.contains("another key") == false)
    }
}
