import CredentialStorage
import CredentialStorageTestSupport
import PlatformCredentialStorage
import Testing

struct PlatformDefaultTests {
    private static func folder(
        service: String = "com.example.app", environment: [String: String] = [:], accountHome: String? = nil
    ) throws(CredentialStoreError) -> String {
        try DataFolder.path(of: service, environment: { environment[$0] }, accountHome: { accountHome })
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let environment: [String: String]
        var accountHome: String?
        let expected: String
    }

    @Test(arguments: [
        Row(
            testDescription: "XDG_DATA_HOME first", environment: ["XDG_DATA_HOME": "/data", "HOME": "/home"],
            expected: "/data/com.example.app"),
        Row(testDescription: "the home folder without it", environment: ["HOME": "/home"], expected: "/home/.local/share/com.example.app"),
        Row(
            testDescription: "a relative XDG_DATA_HOME is ignored", environment: ["XDG_DATA_HOME": "data", "HOME": "/home"],
            expected: "/home/.local/share/com.example.app"),
        Row(
            testDescription: "the system's list of users without HOME", environment: ["HOME": ""], accountHome: "/account",
            expected: "/account/.local/share/com.example.app"),
    ])
    func `a service's data is in the user's data folder`(row: Row) throws {
        #expect(try Self.folder(environment: row.environment, accountHome: row.accountHome) == row.expected)
    }

    struct ServiceName: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let name: String
    }

    @Test(arguments: [
        ServiceName(testDescription: "empty", name: ""),
        ServiceName(testDescription: "the current folder", name: "."),
        ServiceName(testDescription: "the parent folder", name: ".."),
        ServiceName(testDescription: "hidden", name: ".hidden"),
        ServiceName(testDescription: "a slash inside", name: "a/b"),
        ServiceName(testDescription: "the root folder", name: "/"),
        ServiceName(testDescription: "a NUL", name: "a\0b"),
        ServiceName(testDescription: "a line break", name: "a\nb"),
        ServiceName(testDescription: "256 bytes", name: String(repeating: "a", count: 256)),
    ])
    func `rejects a service name that is not a valid folder name`(service: ServiceName) async {
        let code = await code { () throws(CredentialStoreError) in
            _ = try Self.folder(service: service.name, environment: ["HOME": "/home/octocat"])
        }
        #expect(code == .refused)
    }

    @Test func `without a home folder there is nowhere to store records`() async {
        #expect(await code { () throws(CredentialStoreError) in _ = try Self.folder() } == .unavailable)
    }

    @Test func `a caller names the store by purpose`() throws {
        let store: any CredentialStore = try .platformDefault(service: "com.example.app")
        #expect(store is PlatformCredentialStore)
    }
}
