import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import OAuthProtocol
import Platform
import Testing

/// Reads the guide's own files in the same way as the guide's code.
struct ProvidersAndSettingsTests {
    @Test func `the settings in the guide are settings, and its code takes them`() throws {
        let examples = try Self.examples()
        #expect(examples.count == 2)
        for bytes in examples {
            let secret = Secret("a secret")
            let browser = ScriptedBrowser { _ in .cancelled }
            let store = MemoryCredentialStore()
            // snippet: settings-from-a-file
            let settings = try ClientSettings(bytes, file: "settings.json")
            let session = OAuthSession(
                server: settings.provider, client: settings.client(secret: secret), scope: settings.scope, browser: browser, store: store,
                dependencies: .network)
            // end
            #expect(session.account.clientID == "0123456789abcdef")
            #expect(session.account.server.contains("example.com"))
        }
    }

    private static func examples() throws -> [[UInt8]] {
        let root = String(#filePath.split(separator: "/Tests/AuthHubTests/")[0])
        let text = try String(contentsOf: URL(filePath: root + "/Sources/AuthHub/AuthHub.docc/ProvidersAndSettings.md"), encoding: .utf8)
        return text.split(separator: "```json\n").dropFirst().compactMap { part in
            part.split(separator: "```").first.map { Array($0.utf8) }
        }
    }
}
