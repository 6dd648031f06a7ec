import CredentialStorage
import Testing

struct PlatformDefaultTests {
    private static func store(
        service: String = "com.example.app", environment: [String: String] = [:], accountHome: String? = nil
    ) throws(CredentialStoreError) -> EncryptedFileStore {
        try .platformDefault(service: service, environment: { environment[$0] }, accountHome: { accountHome })
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let environment: @Sendable (String) -> [String: String]
        let accountHome: @Sendable (String) -> String?
        let expected: String
    }

    @Test(arguments: [
        Row(
            testDescription: "XDG_DATA_HOME first", environment: { ["XDG_DATA_HOME": "\($0)/data", "HOME": "\($0)/home"] },
            accountHome: { _ in nil }, expected: "data/com.example.app/credentials"),
        Row(
            testDescription: "without it the home folder", environment: { ["HOME": "\($0)/home"] },
            accountHome: { _ in nil }, expected: "home/.local/share/com.example.app/credentials"),
        Row(
            testDescription: "a relative XDG_DATA_HOME is ignored", environment: { ["XDG_DATA_HOME": "data", "HOME": "\($0)/home"] },
            accountHome: { _ in nil }, expected: "home/.local/share/com.example.app/credentials"),
        Row(
            testDescription: "without HOME the system's list of users", environment: { _ in ["HOME": ""] },
            accountHome: { "\($0)/account" }, expected: "account/.local/share/com.example.app/credentials"),
    ])
    func `records lie in the person's data folder, and only writing makes it`(row: Row) async throws {
        let folder = try TemporaryFolder()
        let store = try Self.store(environment: row.environment(folder.path), accountHome: row.accountHome(folder.path))
        #expect(try await store.read(.octocat) == nil)
        #expect(try names(in: folder.path).isEmpty)
        try await store.store("record", for: .octocat)
        #expect(try names(in: "\(folder.path)/\(row.expected)").contains { $0.hasSuffix(".credential") })
        #expect(exists("\(folder.path)/\(row.expected).key"))
    }

    struct ServiceName: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let name: String
    }

    @Test(arguments: [
        ServiceName(testDescription: "empty", name: ""),
        ServiceName(testDescription: "this folder", name: "."),
        ServiceName(testDescription: "the folder above", name: ".."),
        ServiceName(testDescription: "hidden", name: ".hidden"),
        ServiceName(testDescription: "a slash inside", name: "a/b"),
        ServiceName(testDescription: "the root", name: "/"),
        ServiceName(testDescription: "a NUL", name: "a\0b"),
        ServiceName(testDescription: "a line break", name: "a\nb"),
        ServiceName(testDescription: "256 bytes", name: String(repeating: "a", count: 256)),
    ])
    func `a service name that is no folder name is refused`(service: ServiceName) async {
        let code = await code { () throws(CredentialStoreError) in
            _ = try Self.store(service: service.name, environment: ["HOME": "/home/octocat"])
        }
        #expect(code == .refused)
    }

    @Test func `without any home folder there is nowhere to keep records`() async {
        #expect(await code { () throws(CredentialStoreError) in _ = try Self.store() } == .unavailable)
    }

    @Test func `a caller names the store by what it wants`() throws {
        let store: any CredentialStore = try .platformDefault(service: "com.example.app")
        #expect(store is EncryptedFileStore)
    }
}
