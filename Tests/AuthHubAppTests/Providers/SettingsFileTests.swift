import AuthHubPrimitives
import OAuthProtocol
import Platform
import Testing

@testable import AuthHubApp

struct SettingsFileTests {
    private static let gitHub = #"{"provider": "github", "client_id": "id", "client_secret_file": "secret.txt"}"#
    private static let aniList = #"{"provider": "anilist", "client_id": "42"}"#

    @Test func `a settings file names the client, and the file with its secret next to it`() throws {
        try withFolder(["github.json": Self.gitHub, "secret.txt": "shh\n"]) { folder in
            let provider = try AppProvider(settingsFile: "\(folder)/github.json")
            #expect(provider.id == "github" && provider.name == "GitHub")
            #expect(provider.client.id == "id")
            #expect(provider.client.secret?.reveal() == "shh")
        }
    }

    @Test func `reads the files of a folder in order of their names, and distinguishes files for the same provider`() throws {
        let files = [
            "work.json": Self.gitHub, "home.json": Self.gitHub, "list.json": Self.aniList, "secret.txt": "shh", "notes.txt": "no settings",
            ".hidden.json": "{",
        ]
        try withFolder(files) { folder in
            let providers = try AppProvider.all(inFolder: folder)
            #expect(providers.map(\.id) == ["home", "list", "work"])
            #expect(providers.map(\.name) == ["GitHub (home)", "AniList", "GitHub (work)"])
            let twice = try AppProvider.all(settingsFiles: ["\(folder)/list.json", "\(folder)/list.json", "\(folder)//list.json"])
            #expect(twice.map(\.id) == ["list", "list-2", "list-3"])
            #expect(Set(twice.map(\.name)).count == 3)
        }
    }

    @Test func `a secret that other users may have written is rejected, and a link to another one is read`() throws {
        try withFolder(["app.json": Self.gitHub, "secret.txt": "shh", "target": "hush"]) { folder in
            let secret = "\(folder)/secret.txt"
            try FileManager.default.setAttributes([.posixPermissions: 0o620], ofItemAtPath: secret)
            let error = #expect(throws: SettingsError.self) { try AppProvider(settingsFile: "\(folder)/app.json") }
            #expect(error?.field == "client_secret_file")
            #expect(error?.problem.contains("other users may write to \(secret) (mode 620)") == true, "\(error as Any)")
            #expect(error?.problem.hasSuffix("chmod 600 \(secret)") == true, "\(error as Any)")
            try FileManager.default.removeItem(atPath: secret)
            try FileManager.default.createSymbolicLink(atPath: secret, withDestinationPath: "\(folder)/target")
            #expect(try AppProvider(settingsFile: "\(folder)/app.json").client.secret?.reveal() == "hush")
        }
    }

    @Test func `rejects settings that all users may write to, and accepts those that a group may write to`() throws {
        try withFolder(["app.json": Self.aniList]) { folder in
            let path = "\(folder)/app.json"
            try FileManager.default.setAttributes([.posixPermissions: 0o646], ofItemAtPath: path)
            let error = #expect(throws: SettingsError.self) { try AppProvider(settingsFile: path) }
            #expect(error?.problem.contains("all users may write to \(path) (mode 646)") == true, "\(error as Any)")
            try FileManager.default.setAttributes([.posixPermissions: 0o664], ofItemAtPath: path)
            #expect(try AppProvider(settingsFile: path).client.id == "42")
        }
    }

    @Test func `a pipe without a writer is not a secret`() throws {
        try withFolder(["app.json": Self.gitHub]) { folder in
            #expect(mkfifo("\(folder)/secret.txt", 0o600) == 0)
            let error = #expect(throws: SettingsError.self) { try AppProvider(settingsFile: "\(folder)/app.json") }
            #expect(error?.field == "client_secret_file", "\(error as Any)")
        }
    }

    @Test func `a missing folder contains no settings`() throws {
        #expect(try AppProvider.all(inFolder: "/nowhere/authhub").isEmpty)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var files: [String: String] = [:]
        var path = "app.json"
        var field: String?
        let problem: String
    }

    @Test(arguments: [
        Row(testDescription: "no such file", path: "other.json", problem: "cannot be read: No such file or directory"),
        Row(testDescription: "a folder", path: "", problem: "is not a regular file"),
        Row(
            testDescription: "too large", files: ["app.json": String(repeating: " ", count: 1_048_577)],
            problem: "is larger than 1048576 bytes"),
        Row(
            testDescription: "truncated", files: ["app.json": "{"],
            problem: "is not JSON: it ends too early, perhaps with an unclosed quote or bracket"),
        Row(
            testDescription: "a missing comma", files: ["app.json": "{\n  \"provider\": \"github\"\n  \"client_id\": \"7\"\n}"],
            problem: "is not JSON: line 3 has an unexpected character; a comma or a quote may be missing or superfluous there or earlier"),
        Row(
            testDescription: "a duplicate name", files: ["app.json": "{\"client_id\": \"7\",\n\"client_id\": \"8\"}"],
            problem: "has the same member name twice, the second time in line 2"),
        Row(
            testDescription: "an unknown member", files: ["app.json": #"{"provider": "anilist", "client_id": "1", "x": 1}"#],
            field: "x", problem: "is not a known member; use \(ClientSettings.members.joined(separator: ", "))"),
        Row(
            testDescription: "a provider without a screen", files: ["app.json": #"{"provider": "spotify", "client_id": "1"}"#],
            field: "provider",
            problem: "is Spotify, which the app does not support; it supports github, github-app, github-enterprise, anilist, "
                + "anilist-with-secret, and OpenID providers with the scope openid"),
        Row(
            testDescription: "an OpenID provider without the scope openid",
            files: ["app.json": #"{"provider": "discord", "client_id": "1", "scopes": ["identify"]}"#], field: "provider",
            problem: "is Discord, which the app does not support; it supports github, github-app, github-enterprise, anilist, "
                + "anilist-with-secret, and OpenID providers with the scope openid"),
        Row(
            testDescription: "no secret file", files: ["app.json": gitHub], field: "client_secret_file",
            problem: "does not name a usable secret: FOLDER/secret.txt does not exist; check the path"),
        Row(
            testDescription: "two lines of secret", files: ["app.json": gitHub, "secret.txt": "a\nb\n"], field: "client_secret_file",
            problem: "does not name a usable secret: FOLDER/secret.txt does not contain one line of text; store only the secret in it"),
        Row(
            testDescription: "an empty secret", files: ["app.json": gitHub, "secret.txt": "\n"], field: "client_secret_file",
            problem: "does not name a usable secret: FOLDER/secret.txt does not contain one line of text; store only the secret in it"),
        Row(
            testDescription: "a secret that is too large",
            files: ["app.json": gitHub, "secret.txt": String(repeating: "a", count: 65_537)],
            field: "client_secret_file",
            problem: "does not name a usable secret: FOLDER/secret.txt is larger than 65536 bytes; check the path"),
    ])
    func `an error in a file names the file and the field`(row: Row) throws {
        try withFolder(row.files) { folder in
            let path = "\(folder)/\(row.path)"
            let error = #expect(throws: SettingsError.self) { try AppProvider(settingsFile: path) }
            #expect(error?.file == path)
            #expect(error?.field == row.field)
            #expect(error?.problem == row.problem.replacing("FOLDER", with: folder))
            let problem = try AppProblem(#require(error))
            #expect(problem.remedy == .tryAgain && problem.advice.contains(path))
        }
    }

    private func withFolder(_ files: [String: String], _ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "authhub-app-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, content) in files { try Data(content.utf8).write(to: folder.appending(path: name)) }
        try body(folder.path)
    }
}
