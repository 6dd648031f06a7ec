import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import Crypto
import Platform
import Testing

struct PassphraseKeyTests {
    /// The offsets of the file's parts.
    private enum Offset {
        static let format = 4
        static let cost = 5..<8
        static let length = 40..<48
        static let sum = 124..<156
    }

    @Test func `creates a key once, accessible only to its owner, which opens with its passphrase, and asks for it once`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/a/sealed.key"
        let maker = ScriptedPrompt(.says("correct horse"))
        let source = PassphraseKey(path: path, prompt: maker)
        #expect(try source.key(creatingIfMissing: false) == nil)
        #expect(try source.fingerprint() == nil)
        #expect(try names(in: folder.path).isEmpty)
        let key = try #require(try source.key(creatingIfMissing: true)).reveal()
        #expect(key.count == KeyFile.keyLength)
        #expect(try source.key(creatingIfMissing: true)?.reveal() == key)
        #expect(maker.asked == [.choose])
        #expect(try mode(of: path) == 0o600)
        #expect(try names(in: "\(folder.path)/a") == ["sealed.key"])
        let opener = ScriptedPrompt(.says("correct horse"))
        let other = PassphraseKey(path: path, prompt: opener)
        for _ in 0..<3 { #expect(try other.key(creatingIfMissing: true)?.reveal() == key) }
        #expect(opener.asked == [.open(attempt: 1)])
        #expect(try other.fingerprint() == StoreKeyFingerprint(of: Secret(key)))
        let file = try contents(of: path)
        #expect(!file.contains(subsequence: key))
        #expect(!file.contains(subsequence: Array("correct horse".utf8)))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answers: [Result<String, CredentialStoreError>]
        let expected: CredentialStoreError.Code?
        var asked = 1
    }

    @Test(arguments: [
        Row(testDescription: "right at the third attempt", answers: [.says("a"), .says("B"), .says("right")], expected: nil, asked: 3),
        Row(testDescription: "wrong each time", answers: [.says("a"), .says("right "), .says("Right")], expected: .refused, asked: 3),
        Row(testDescription: "the user declines", answers: [.declines], expected: .dismissed),
        Row(testDescription: "no one to ask", answers: [], expected: .locked),
        Row(testDescription: "an empty passphrase", answers: [.says("")], expected: .refused),
        Row(testDescription: "a very long passphrase", answers: [.says(String(repeating: "a", count: 4_097))], expected: .refused),
    ])
    func `reports a wrong passphrase as such, and creates no second key`(row: Row) async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/sealed.key"
        let key = try PassphraseKey(path: path, answers: .says("right")).key(creatingIfMissing: true)
        let before = try contents(of: path)
        let prompt = ScriptedPrompt(row.answers)
        let source = PassphraseKey(path: path, attempts: 3, prompt: prompt)
        let found = await code { () throws(CredentialStoreError) in
            #expect(try source.key(creatingIfMissing: true)?.reveal() == key?.reveal())
        }
        #expect(found == row.expected)
        #expect(prompt.asked == (1...row.asked).map { .open(attempt: $0) })
        #expect(try contents(of: path) == before)
        #expect(try names(in: folder.path) == ["sealed.key"])
    }

    @Test(arguments: [
        Row(testDescription: "the user declines", answers: [.declines], expected: .dismissed),
        Row(testDescription: "no one to ask", answers: [], expected: .locked),
        Row(testDescription: "an empty passphrase", answers: [.says("")], expected: .refused),
    ])
    func `creates no key without a passphrase`(row: Row) async throws {
        let folder = try TemporaryFolder()
        let source = PassphraseKey(path: "\(folder.path)/sealed.key", prompt: ScriptedPrompt(row.answers))
        #expect(await code { () throws(CredentialStoreError) in _ = try source.key(creatingIfMissing: true) } == row.expected)
        #expect(try names(in: folder.path).isEmpty)
    }

    @Test func `reports any change of the file as damage, before it asks for the passphrase`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/sealed.key"
        _ = try PassphraseKey(path: path, answers: .says("right")).key(creatingIfMissing: true)
        let file = try contents(of: path)
        #expect(file.count == Offset.sum.upperBound)
        let prompt = ScriptedPrompt()
        let source = PassphraseKey(path: path, prompt: prompt)
        let spoiled =
            file.indices.map { offset in file.replacing(offset, with: file[offset] ^ 0x40) }
            + (0..<file.count).map { Array(file[..<$0]) } + [file + [0]]
        for bytes in spoiled {
            try write(bytes, to: path)
            let isNewer = bytes.count > Offset.format && bytes[Offset.format] > file[Offset.format]
            let expected: CredentialStoreError.Code = isNewer ? .tooNew : .corrupt
            #expect(source.failure() == expected, "\(bytes.count) bytes")
            #expect(try contents(of: path) == bytes)
        }
        #expect(prompt.asked.isEmpty)
    }

    struct Forged: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let forge: @Sendable (inout [UInt8]) -> Void
        let expected: CredentialStoreError.Code
        var isAsked = false
    }

    @Test(arguments: [
        Forged(testDescription: "2^40 rounds", forge: { $0[5] = 40 }, expected: .refused),
        Forged(testDescription: "2^255 rounds", forge: { $0[5] = 255 }, expected: .refused),
        Forged(testDescription: "2^0 rounds", forge: { $0[5] = 0 }, expected: .refused),
        Forged(testDescription: "block size 255", forge: { $0[6] = 255 }, expected: .refused),
        Forged(testDescription: "block size 0", forge: { $0[6] = 0 }, expected: .refused),
        Forged(testDescription: "parallelization 255", forge: { $0[7] = 255 }, expected: .refused),
        Forged(testDescription: "parallelization 0", forge: { $0[7] = 0 }, expected: .refused),
        Forged(testDescription: "a higher cost that is acceptable", forge: { $0[5] += 1 }, expected: .refused, isAsked: true),
        Forged(testDescription: "a different salt", forge: { $0[8] ^= 1 }, expected: .refused, isAsked: true),
        Forged(testDescription: "a different fingerprint", forge: { $0[48] ^= 1 }, expected: .refused, isAsked: true),
        Forged(testDescription: "a different nonce", forge: { $0[64] ^= 1 }, expected: .refused, isAsked: true),
        Forged(testDescription: "a different key", forge: { $0[107] ^= 1 }, expected: .refused, isAsked: true),
        Forged(testDescription: "a different tag", forge: { $0[123] ^= 1 }, expected: .refused, isAsked: true),
        Forged(
            testDescription: "contents of 2^64 - 1 bytes", forge: { for offset in Offset.length { $0[offset] = 255 } }, expected: .corrupt),
        Forged(testDescription: "contents of 0 bytes", forge: { $0[47] = 0 }, expected: .corrupt),
    ])
    func `a file changed on purpose, including its checksum, opens nothing and allocates little memory`(row: Forged) throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/sealed.key"
        _ = try PassphraseKey(path: path, answers: .says("right")).key(creatingIfMissing: true)
        var file = Array(try contents(of: path)[..<Offset.sum.lowerBound])
        row.forge(&file)
        try write(file.withSum, to: path)
        let prompt = ScriptedPrompt(.says("right"))
        let source = PassphraseKey(path: path, prompt: prompt)
        #expect(source.failure() == row.expected)
        #expect(prompt.asked == (row.isAsked ? [.open(attempt: 1)] : []))
    }

    @Test func `changing the passphrase writes one new file: the key and the records stay`() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/sealed.key"
        let prompt = ScriptedPrompt(.says("old"), .says("new"))
        let source = PassphraseKey(path: path, prompt: prompt)
        let store = EncryptedFileStore(folder: folder.storePath, key: source)
        try await store.store("record", for: .octocat)
        let record = try contents(of: folder.recordPath())
        try source.changePassphrase()
        #expect(prompt.asked == [.choose, .choose])
        #expect(try await store.read(.octocat)?.text == "record")
        #expect(try contents(of: folder.recordPath()) == record)
        let wrong = PassphraseKey(path: path, answers: .says("old"))
        #expect(wrong.failure() == .refused)
        let right = EncryptedFileStore(folder: folder.storePath, key: PassphraseKey(path: path, answers: .says("new")))
        #expect(try await right.read(.octocat)?.text == "record")
        try await right.store("newer", for: .hubot)
        // A store that already has the key does not ask again.
        #expect(try await store.read(.hubot)?.text == "newer")
        #expect(try names(in: folder.path) == ["sealed.key", "service"])
    }

    @Test func `all processes that create the key at the same time, with the same passphrase, can read each other's records`() async throws
    {
        let folder = try TemporaryFolder()
        let path = folder.path
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    await #expect(processExitsWith: .success) { [path = path as String, number = number as Int] in
                        let key = PassphraseKey(path: "\(path)/sealed.key", answers: .says("right"))
                        let store = EncryptedFileStore(folder: "\(path)/records", key: key)
                        try await store.store("record \(number)", for: CredentialAccount(server: "", clientID: "", label: "\(number)"))
                    }
                }
            }
        }
        let key = PassphraseKey(path: "\(path)/sealed.key", answers: .says("right"))
        let labels = try await EncryptedFileStore(folder: "\(path)/records", key: key).accounts().map(\.label)
        #expect(labels.sorted() == ["0", "1", "2", "3"])
        #expect(try names(in: path) == ["records", "sealed.key"])
    }

    @Test func `if several create the key with different passphrases, one wins, and the others get an error`() async throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/sealed.key"
        let keys = await withTaskGroup(of: [UInt8]?.self) { group in
            for number in 0..<8 {
                group.addTask { try? PassphraseKey(path: path, answers: .says("\(number)")).key(creatingIfMissing: true)?.reveal() }
            }
            return await group.reduce(into: []) { if let key = $1 { $0.append(key) } }
        }
        #expect(keys.count == 1)
        #expect(try names(in: folder.path) == ["sealed.key"])
    }

    @Test(arguments: [0o640, 0o604, 0o602])
    func `rejects a sealed key that others may access`(mode: Int) throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/sealed.key"
        _ = try PassphraseKey(path: path, answers: .says("right")).key(creatingIfMissing: true)
        try check(chmod(path, mode_t(mode)), "chmod", path)
        let source = PassphraseKey(path: path, answers: .says("right"))
        #expect(source.failure() == .refused)
    }

    @Test func `derives keys from passphrases as in RFC 7914`() throws {
        // RFC 7914 §12: the first 32 bytes of the third vector. Its cost is within the limit for files.
        let cost = PassphraseCost(exponent: 14)
        let key = try cost.key(from: Secret(Array("pleaseletmein".utf8)), salt: Array("SodiumChloride".utf8))
        let expected: [UInt8] = [
            0x70, 0x23, 0xBD, 0xCB, 0x3A, 0xFD, 0x73, 0x48, 0x46, 0x1C, 0x06, 0xCD, 0x81, 0xFD, 0x38, 0xEB,
            0xFD, 0xA8, 0xFB, 0xBA, 0x90, 0x4F, 0x8E, 0x3E, 0xA9, 0xB5, 0x43, 0xF6, 0x54, 0x5D, 0xA1, 0xF2,
        ]
        #expect(key == SymmetricKey(data: expected))
    }
}

extension PassphraseKey {
    /// The error code if the key is unavailable.
    fileprivate func failure() -> CredentialStoreError.Code? {
        do throws(CredentialStoreError) {
            _ = try key(creatingIfMissing: true)
            return nil
        } catch {
            return error.code
        }
    }
}
