import Platform
@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

/// What a request sends, as the server received it.
struct RequestContentTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let words: [String]
        var input = ""
        let method: String
        var contentType: String?
        var body = ""
        var queryNames: [String] = []
    }

    static let rows = [
        Row(testDescription: "a path: GET", words: ["/user"], method: "GET"),
        Row(testDescription: "a path with a method", words: ["delete", "/user"], method: "DELETE"),
        Row(
            testDescription: "-d with JSON: POST", words: ["/user", "-d", #"{"a": 1}"#], method: "POST", contentType: "application/json",
            body: #"{"a": 1}"#),
        Row(
            testDescription: "-d with form parameters", words: ["/user", "-d", "a=1&b=%20"], method: "POST",
            contentType: "application/x-www-form-urlencoded", body: "a=1&b=%20"),
        Row(
            testDescription: "-d with text", words: ["/user", "-d", "a = b"], method: "POST", contentType: "text/plain", body: "a = b"),
        Row(
            testDescription: "-d with a file that is not text", words: ["PUT", "/user", "-d", "@%FOLDER%/bytes"], method: "PUT",
            contentType: "application/octet-stream", body: "\u{FFFD}"),
        Row(
            testDescription: "-d with a Content-Type", words: ["/user", "-d", "{}", "-H", "Content-Type: text/csv"], method: "POST",
            contentType: "text/csv", body: "{}"),
        Row(
            testDescription: "-d with standard input", words: ["PATCH", "/user", "-d", "-"], input: "[]", method: "PATCH",
            contentType: "application/json", body: "[]"),
        Row(
            testDescription: "--json", words: ["/user", "--json", #"{"a":"b=c"}"#], method: "POST", contentType: "application/json",
            body: #"{"a":"b=c"}"#),
        Row(
            testDescription: "--json with a file", words: ["/user", "--json", "@%FOLDER%/json"], method: "POST",
            contentType: "application/json", body: "[1]"),
        Row(
            testDescription: "-f: strings of a JSON object", words: ["/user", "-f", "a=1", "-f", "b=@x=y"], method: "POST",
            contentType: "application/json", body: #"{"a":"1","b":"@x=y"}"#),
        Row(
            testDescription: "-f with GET: the query", words: ["GET", "/user", "-f", "a=1", "-f", "a=2 3"], method: "GET",
            queryNames: ["a", "a"]),
        Row(
            testDescription: "-f with GET and a query in the path", words: ["GET", "/user?z=0", "-f", "a=1"], method: "GET",
            queryNames: ["z", "a"]),
        Row(
            testDescription: "-f as a form",
            words: ["/user", "-f", "a=1", "-f", "a=ä ", "-H", "content-type: Application/X-WWW-Form-Urlencoded"], method: "POST",
            contentType: "Application/X-WWW-Form-Urlencoded", body: "a=1&a=%C3%A4+"),
    ]

    @Test(arguments: rows)
    func `sends the content that the options describe`(row: Row) async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            _ = try tool.folder.write("[1]", to: "json")
            try Data([0xFF]).write(to: URL(filePath: tool.folder.path + "/bytes"))
            tool.server.faults.always(at: .api, .echo(status: 200))
            let words = ["request"] + row.words.map { $0.replacing("%FOLDER%", with: tool.folder.path) }
            let output = try await tool.run(words, input: row.input)
            #expect(output.status == 0, "\(output.errorText)")
            let entry = try #require(tool.server.log.entries.last)
            #expect(entry.path == "/user" && entry.hasBearerToken)
            #expect(entry.method == row.method && entry.contentType == row.contentType && entry.queryNames == row.queryNames)
            #expect(try output.json()["error_uri"] == .string("https://errors.example/?" + row.body))
        }
    }

    @Test func `-F sends files, text and fields as a multipart form`() async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            tool.server.faults.always(at: .api, .echo(status: 200))
            let file = try tool.folder.write("content of\r\na file", to: "a \"b\".txt")
            let words = ["request", "/user", "-F", "file=@\(file)", "-F", "text=x=y", "-f", "at=@z", "-F", "input=@-"]
            let output = try await tool.run(words, input: "typed")
            #expect(output.status == 0, "\(output.errorText)")
            #expect(tool.server.log.entries.last?.contentType == "multipart/form-data")
            let body = try #require(try output.json()["error_uri"]?.string)
            for part in [
                "name=\"file\"; filename=\"a %22b%22.txt\"\r\nContent-Type: application/octet-stream\r\n\r\ncontent of\r\na file\r\n",
                "name=\"text\"\r\n\r\nx=y\r\n", "name=\"at\"\r\n\r\n@z\r\n", "name=\"input\"; filename=\"-\"", "\r\n\r\ntyped\r\n",
            ] { #expect(body.contains(part), "\(body)") }
        }
    }

    @Test(arguments: [
        (["-d", "{}", "--json", "{}"], "-d and --json cannot be used together"),
        (["-d", "{}", "-f", "a=b"], "-d and -f and -F cannot be used together"),
        (["--json", "{a"], "the body of --json is not JSON"), (["--json", "@/nowhere"], "/nowhere cannot be read"),
        (["-f", "a"], "A field must be NAME=VALUE"), (["-f", "=a"], "A field must be NAME=VALUE"),
        (["-f", "a=1", "-f", "a=2"], "the field “a” occurs twice"), (["-F", "a=@/nowhere"], "/nowhere cannot be read"),
        (["-F", "a=b", "-H", "Content-Type: text/plain"], "-F sends a multipart form"),
        (["-F", "a=@-", "-F", "b=@-"], "Only one value can be standard input"), (["--paginate"], "--paginate needs the method GET"),
        (["--paginate", "-i"], "-i cannot be used with --paginate"), (["/c"], "more than a method and a URL: /c"),
        (["-O", "/dev/null"], "/dev/null is not a regular file"), (["-O", "/nowhere/file"], "/nowhere/file cannot be written"),
    ])
    func `rejects options that contradict each other, before anything is sent`(words: [String], told: String) async throws {
        try await Tool.using { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            let count = tool.server.log.entries.count
            let output = try await tool.run(["request", "POST", "/user"] + words)
            #expect(output.status == 64 || words[1].hasPrefix("/nowhere/"), "\(output.errorText)")
            #expect(output.errorText.contains(told), "\(output.errorText)")
            #expect(tool.server.log.entries.count == count)
        }
    }
}
