import AuthHubPrimitives
import CredentialStorage
import DevelopmentServer
import Testing

@testable import AuthHubCommand
@testable import AuthHubCommandTests

struct StoreCommandTests {
    /// Runs a body with a tool that chooses a store itself, because `AUTHHUB_STORE` is not set.
    private static func choosing(_ body: (Tool) async throws -> Void) async throws {
        try await Tool.using { tool in
            var tool = tool
            tool.environment["AUTHHUB_STORE"] = nil
            try await body(tool)
        }
    }

    private static let dataFolder = ".local/share/authhub"

    @Test func `the first login chooses the store, says so once, and all commands find the tokens there`() async throws {
        try await Self.choosing { tool in
            let before = try await tool.run("store", "-o", "json").json()
            #expect(before["store"] == "file")
            #expect(before["origin"] == "next")
            #expect(before["accounts"] == 0)
            let first = try await tool.run(tool.loginWords())
            #expect(first.status == 0, "\(first.errorText)")
            #expect(first.errorText.contains("encrypted files in \(tool.folder.path)/\(Self.dataFolder)/credentials"))
            #expect(first.errorText.contains("next to the records"), "\(first.errorText)")
            #expect(try tool.folder.read("\(Self.dataFolder)/store-choice") == "AuthHub store choice 1\nfile\n")
            let after = try await tool.run("store", "info", "-o", "json").json()
            #expect(after["origin"] == "recorded")
            #expect(after["accounts"] == 1)
            #expect(after["key"]?["source"] == "own-key-file")
            #expect(try await tool.run("token").status == 0)
            #expect(try await tool.run("token", "--store", "file").status == 0)
            let second = try await tool.run(tool.loginWords(as: "second"))
            #expect(second.status == 0 && !second.errorText.contains("encrypted files"), "\(second.errorText)")
        }
    }

    @Test func `info reports a key that is gone, and a key file that is not used`() async throws {
        try await Self.choosing { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            #expect(try await tool.run("store", "-o", "json").json()["key"]?["leaves_out_key_file"] == false)
            var other = tool
            other.environment["AUTHHUB_KEY_FILE"] = "/nowhere"
            #expect(try await other.run("store", "-o", "json").json()["key"]?["leaves_out_key_file"] == true)
            #expect(try await other.run("store", "info", "--color", "never").text.contains("AUTHHUB_KEY_FILE is set but not used"))

            try tool.folder.remove("\(Self.dataFolder)/credentials.key")
            let report = try await tool.run("store", "-o", "json").json()
            #expect(report["problem"]?["code"] == "key_missing")
            #expect(report["unreadable"] != 0)
        }
    }

    @Test func `does not suggest a new key if a key file is missing while there are records`() async throws {
        try await Self.choosing { tool in
            var tool = tool
            let key = try tool.folder.write(String(repeating: "k", count: 32), to: "it's a key")
            tool.environment["AUTHHUB_KEY_FILE"] = key
            #expect(try await tool.run(tool.loginWords()).status == 0)
            var other = tool
            other.environment["AUTHHUB_KEY_FILE"] = "\(tool.folder.path)/missing"
            for words in [["token"], ["login"], ["refresh"], try other.loginWords()] {
                let output = try await other.run(words + ["-o", "json"])
                #expect(output.status == 9, "\(words): \(output.errorText)")
                #expect(try output.errorJSON()["code"] == "store_key_missing", "\(words)")
                #expect(output.errorText.contains("a new key would not decrypt the records"), "\(words): \(output.errorText)")
            }
            // A login without a provider also reports the key if the key is wrong.
            let wrong = try tool.folder.write(String(repeating: "w", count: 32), to: "wrong")
            other.environment["AUTHHUB_KEY_FILE"] = wrong
            let output = try await other.run("login", "-o", "json")
            #expect(output.status == 9, "\(output.errorText)")
            #expect(try output.errorJSON()["code"] == "store_key_missing")
            #expect(try await tool.run("token").status == 0)
        }
    }

    @Test func `the advice about a lost key works`() async throws {
        try await Self.choosing { tool in
            var tool = tool
            let key = try tool.folder.write(String(repeating: "k", count: 32), to: "it's a key")
            tool.environment["AUTHHUB_KEY_FILE"] = key
            #expect(try await tool.run(tool.loginWords()).status == 0)
            try tool.folder.remove("it's a key")
            let message = try await tool.run("token", "-o", "json").errorJSON()["message"]?.string ?? ""
            let command = try #require(
                message.firstRange(of: "sign in again: ").map { String(message[$0.upperBound...]) }, "\(message)")
            let shell = try ChildProcess("/bin/sh", ["-c", command], environment: ["PATH": "/usr/bin:/bin"], input: [])
            let done = await shell.end()
            #expect(done.status == 0, "\(command): \(done.errorText)")
            let login = try await tool.run(tool.loginWords())
            #expect(login.status == 0, "\(login.errorText)")
            #expect(try await tool.run("token").status == 0)
        }
    }

    @Test func `the advice about a damaged choice works, and logout does not forget the account`() async throws {
        try await Self.choosing { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let path = try tool.folder.write("AuthHub store choice ?", to: "\(Self.dataFolder)/store-choice")
            for words in [["token"], ["logout"], ["login"]] {
                let error = try await tool.run(words + ["-o", "json"]).errorJSON()
                #expect(error["exit"] == 9, "\(error)")
                #expect(error["message"]?.string?.contains("(rm \(path.shellWord))") == true, "\(error)")
                #expect(error["hint"]?.string?.contains("logout") == false, "\(error)")
            }
            #expect(try await tool.run("token", "--store", "file").status == 0)
            try tool.folder.remove("\(Self.dataFolder)/store-choice")
            #expect(try await tool.run("refresh", "--store", "file").status == 0)
            #expect(try await tool.run("token").status == 0)
            #expect(try tool.folder.read("\(Self.dataFolder)/store-choice") == "AuthHub store choice 1\nfile\n")
        }
    }

    @Test func `a test of the store leaves nothing, and chooses nothing`() async throws {
        try await Self.choosing { tool in
            let output = try await tool.run("store", "test", "-o", "json")
            #expect(output.status == 0, "\(output.errorText)")
            let report = try output.json()
            #expect(report["store"] == "file")
            #expect(report["steps"]?.array?.count == 8)
            #expect(report["steps"]?.array?.allSatisfy { $0["problem"] == .null && ($0["microseconds"]?.number?.int64 ?? -1) >= 0 } == true)
            let files = try tool.folder.files()
            #expect(!files.contains { $0.hasSuffix("store-choice") || $0.hasSuffix(".credential") }, "\(files)")
            #expect(try await tool.run("store", "-o", "json").json()["origin"] == "next")
        }
    }

    @Test func `lists all records by store, with the reason for those that do not open`() async throws {
        try await Self.choosing { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let fine = try await tool.run("store", "list", "-o", "json")
            #expect(fine.status == 0, "\(fine.errorText)")
            let file = try fine.json().array?.first { $0["store"] == "file" }
            #expect(Set(file?["records"]?.array?.compactMap { $0["kind"]?.string } ?? []) == ["tokens", "settings"])
            #expect(file?["unreadable"] == [])
            let record = try #require(try tool.folder.files().first { $0.hasSuffix(".credential") })
            try damage(record)
            let damaged = try await tool.run("store", "list", "-o", "json")
            #expect(damaged.status == 9)
            let unreadable = try damaged.json().array?.first { $0["store"] == "file" }?["unreadable"]?.array ?? []
            #expect(unreadable.count == 1)
            #expect(unreadable.first?["code"] == "corrupt")
            #expect(damaged.errorText.contains("authhub accounts remove --damaged"))
        }
    }

    @Test func `an unreadable choice stops every command`() async throws {
        try await Self.choosing { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            _ = try tool.folder.write("AuthHub store choice 9\n", to: "\(Self.dataFolder)/store-choice")
            for words in [["token"], ["status"], ["accounts"], ["store"], try tool.loginWords()] {
                let output = try await tool.run(words)
                #expect(output.status == 9, "\(words): \(output.errorText)")
                #expect(output.errorText.contains("newer version"), "\(words): \(output.errorText)")
            }
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let words: [String]
        var variable: String?
        let status: Int32
        let says: String
        /// A secret that the output must not contain.
        var secret: String?
    }

    @Test(arguments: [
        Row(testDescription: "an unnamed store", words: ["token", "--store", "vault"], status: 64, says: "secret-service"),
        Row(
            testDescription: "a password in a URL", words: ["token", "--store", "postgresql://me:hunter2@db/tokens"], status: 64,
            says: "PGPASSFILE", secret: "hunter2"),
        Row(
            testDescription: "a password among words", words: ["accounts", "--store", "postgresql:host=db password=hunter2"], status: 64,
            says: "PGPASSFILE", secret: "hunter2"),
        Row(
            testDescription: "a misspelt store with a password in it", words: ["status", "--store", "postgres://me:hunter2@db"],
            status: 64, says: "--store must be one of", secret: "hunter2"),
        Row(
            testDescription: "an unused variable", words: ["status"], variable: "hunter2", status: 64, says: "AUTHHUB_STORE",
            secret: "hunter2"),
        Row(testDescription: "a word in the variable", words: ["store"], variable: "plain", status: 0, says: ""),
    ])
    func `a store is chosen by a word, and passwords are neither accepted nor repeated`(row: Row) async throws {
        try await Self.choosing { tool in
            var tool = tool
            tool.environment["AUTHHUB_STORE"] = row.variable
            let output = try await tool.run(row.words)
            #expect(output.status == row.status, "\(output.errorText)")
            #expect(output.errorText.contains(row.says), "\(output.errorText)")
            if let secret = row.secret { #expect(!(output.text + output.errorText).contains(secret)) }
        }
    }

    #if PostgreSQL
    @Test(arguments: ["AUTHHUB_KEY_FILE", "AUTHHUB_OLDER_KEY_FILES"])
    func `reports an invalid key file as a missing key, not as damaged records`(variable: String) async throws {
        try await Tool.using { tool in
            var tool = tool
            tool.environment["AUTHHUB_KEY_FILE"] = try tool.folder.write(String(repeating: "k", count: 32), to: "key")
            tool.environment[variable] = try tool.folder.write("short", to: "short")
            let words = ["token", "--store", "postgresql:host=/nowhere", "-o", "json"]
            let output = try await tool.start(words, at: Tool.pathBesideTests).end()
            #expect(output.status == 9)
            #expect(try output.errorJSON()["code"] == "store_key_missing", "\(output.errorText)")
        }
    }
    #endif

    struct Connection: Sendable, CustomTestStringConvertible {
        let text: String
        let holdsPassword: Bool

        var testDescription: String { text }
    }

    @Test(arguments: [
        Connection(text: "postgresql://db", holdsPassword: false),
        Connection(text: "postgresql://me@db:5432/tokens?sslmode=verify-full", holdsPassword: false),
        Connection(text: "postgresql://me:pw@db/tokens", holdsPassword: true),
        Connection(text: "postgresql://me:pw@[::1]:5432", holdsPassword: true),
        Connection(text: "postgresql://me:p@w@db", holdsPassword: true),
        Connection(text: "postgresql://[::1]:5432/tokens", holdsPassword: false),
        Connection(text: "postgresql:///tokens?host=/run&password=pw", holdsPassword: true),
        Connection(text: "postgresql://db?sslkey=k&sslpassword=pw", holdsPassword: true),
        Connection(text: "postgresql://db?PASSWORD=pw", holdsPassword: true),
        Connection(text: "postgresql://db?passfile=/home/me/.pgpass", holdsPassword: false),
        Connection(text: "postgresql://db?passwor%64=pw", holdsPassword: true),
        Connection(text: "service=tokens", holdsPassword: false),
        Connection(text: "host=db passfile=/home/me/.pgpass", holdsPassword: false),
        Connection(text: "host=db password=pw", holdsPassword: true),
        Connection(text: "password = 'p w' host=db", holdsPassword: true),
        Connection(text: "host=db password=pw application_name=https://app.example", holdsPassword: true),
        Connection(text: "postgresql://me:p?w@db/tokens", holdsPassword: true),
        Connection(text: "postgresql://me:p#w@db/tokens", holdsPassword: true),
        Connection(text: "", holdsPassword: false),
    ])
    func `finds a password in a connection string`(connection: Connection) {
        #expect(PostgreSQLConnection.holdsPassword(connection.text) == connection.holdsPassword)
    }
}
