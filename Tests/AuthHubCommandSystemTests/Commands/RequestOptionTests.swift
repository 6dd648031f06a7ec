import Platform
@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import Testing

/// Where requests are sent, and what becomes of responses.
struct RequestOptionTests {
    private func signedIn(
        _ configuration: DevelopmentServerConfiguration = .init(persona: .gitHub), _ body: (Tool) async throws -> Void
    ) async throws {
        try await Tool.using(configuration) { tool in
            #expect(try await tool.run(tool.loginWords()).status == 0)
            try await body(tool)
        }
    }

    // MARK: - Base URL

    @Test func `the base URL of an issuer's API is unknown until login sets it, and it then gets the token`() async throws {
        try await signedIn(.init(persona: .openID)) { tool in
            let unknown = try await tool.run("request", "/user")
            #expect(unknown.status == 64)
            #expect(unknown.errorText.contains("next: write the whole URL, or set the base URL: authhub login --base-url URL"))
            try await withDevelopmentServer(.init(persona: .gitHub)) { other in
                let login = try await tool.run(tool.loginWords() + ["--base-url", other.issuer + "/"])
                #expect(login.status == 0, "\(login.errorText)")
                for _ in 1...2 {
                    let before = other.log.requests(path: "/user")
                    _ = try await tool.run("request", "/user?a=b#c")
                    let entry = try #require(other.log.entries.last)
                    #expect(entry.path == "/user" && entry.queryNames == ["a"] && entry.hasBearerToken)
                    #expect(other.log.requests(path: "/user") > before)
                    // The setting stays when the user signs in again.
                    #expect(try await tool.run(["login", "--headless", "--user", Tool.user]).status == 0)
                }
            }
        }
    }

    @Test func `names the other account that an origin belongs to`() async throws {
        try await signedIn { tool in
            try await withDevelopmentServer(.init(persona: .gitHub)) { other in
                let work = tool.at(other)
                #expect(try await work.run(work.loginWords(as: "work")).status == 0)
                let output = try await tool.run("request", "\(other.issuer)/user", "--as", "default")
                #expect(output.status == 1)
                #expect(output.errorText.contains("it belongs to the account “work”"), "\(output.errorText)")
                #expect(output.errorText.hasSuffix("next: add --as work\n"), "\(output.errorText)")
                #expect(other.log.entries.last?.hasBearerToken == false)
                #expect(try await tool.run("request", "\(other.issuer)/user", "--as", "work").status == 0)
            }
        }
    }

    // MARK: - Status

    struct StatusRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let faults: [Fault]
        let status: Int32
        let requests: Int
        var told = ""
    }

    static let statusRows = [
        StatusRow(
            testDescription: "429, then success", faults: [.status(429, retryAfter: .zero), .answer()], status: 0, requests: 2),
        StatusRow(
            testDescription: "503 twice, then success",
            faults: [.status(503, retryAfter: .zero), .status(503, retryAfter: .zero), .answer()], status: 0, requests: 3),
        StatusRow(
            testDescription: "429 that stays", faults: Array(repeating: .status(429, retryAfter: .zero), count: 4), status: 75, requests: 3,
            told: "next: run the same command again in 0 seconds"),
        StatusRow(testDescription: "503 without a time", faults: [.status(503)], status: 75, requests: 1, told: "again later"),
        StatusRow(
            testDescription: "429 with a long time", faults: [.status(429, retryAfter: .seconds(3600))], status: 75, requests: 1,
            told: "again in 60 minutes"),
        StatusRow(testDescription: "500", faults: [.status(500, retryAfter: .zero)], status: 1, requests: 1, told: "responded 500"),
        StatusRow(
            testDescription: "401 that a refresh does not change", faults: [.status(401), .status(401), .status(401)], status: 4,
            requests: 2,
            told: "next: authhub login\n"),
    ]

    @Test(arguments: statusRows)
    func `retries if the server asks for it, and the exit status says what to do`(row: StatusRow) async throws {
        try await signedIn { tool in
            for fault in row.faults { tool.server.faults.next(at: .api, fault) }
            let before = tool.server.log.requests(path: "/user")
            let output = try await tool.run("request", "POST", "/user", "-d", "{}")
            #expect(output.status == row.status, "\(output.errorText)")
            #expect(tool.server.log.requests(path: "/user") - before == row.requests)
            #expect(output.errorText.contains(row.told), "\(output.errorText)")
        }
    }

    // MARK: - Pages

    @Test func `joins all pages to one array, and each gets the token`() async throws {
        try await signedIn(.init(persona: .gitHub, delays: .init(), pageSize: 10, repositoryCount: 25)) { tool in
            let output = try await tool.run("request", "/user/repos?sort=created", "--paginate")
            #expect(output.status == 0, "\(output.errorText)")
            #expect(try output.json().array?.count == 25)
            let entries = tool.server.log.entries.filter { $0.path == "/user/repos" }
            #expect(entries.map(\.hasBearerToken) == [true, true, true])
            #expect(entries.last?.queryNames == ["sort", "page"])
            let wrapped = try await tool.run("request", "/user/repos", "--paginate", "-o", "json").json()
            #expect(wrapped["status"] == 200 && wrapped["body"]?.array?.count == 25)
        }
    }

    @Test func `pages that are not arrays are written one after the other`() async throws {
        try await signedIn { tool in
            let next = #"</user?page=2>; rel="next""#
            tool.server.faults.next(at: .api, .answer(body: #"{"a":1}"#, header: ["Link": next]), .answer(body: "[2]\n"))
            let output = try await tool.run("request", "/user", "--paginate")
            #expect(output.text == "{\"a\":1}\n[2]\n", "\(output.errorText)")
        }
    }

    @Test func `RS19: a malformed Link field is an error, and the last page of a list needs none`() async throws {
        try await signedIn { tool in
            tool.server.faults.next(at: .api, .answer(body: "[]", header: ["Link": #"</user?page=2>; rel="next"#]))
            let malformed = try await tool.run("request", "/user", "--paginate")
            #expect(malformed.status == 1 && malformed.text.isEmpty && malformed.errorText.contains("Link field is malformed"))
            let next = #"</user?page=2>; rel="next""#
            tool.server.faults.next(at: .api, .answer(body: "a,b", header: ["Link": next]), .answer(body: "c,d"))
            let text = try await tool.run("request", "/user", "--paginate")
            #expect(text.status == 0 && text.text == "a,b\nc,d\n", "\(text.errorText)")
        }
    }

    @Test func `a link to another origin is not followed, and nothing is written`() async throws {
        try await signedIn { tool in
            try await withDevelopmentServer(.init(persona: .gitHub)) { other in
                let link = ["Link": "<\(other.issuer)/user>; rel=\"next\""]
                // Even if that origin may have the token.
                for more in [[], ["--send-token-to", other.issuer]] {
                    tool.server.faults.next(at: .api, .answer(body: "[]", header: link))
                    let output = try await tool.run(["request", "/user", "--paginate"] + more)
                    #expect(output.status == 7 && output.text.isEmpty)
                    #expect(output.errorText.contains("another origin (\(other.issuer))"), "\(output.errorText)")
                }
                #expect(other.log.entries.isEmpty)
            }
        }
    }

    @Test func `RS21: does not follow the next link of a page from another origin`() async throws {
        try await signedIn { tool in
            try await withDevelopmentServer(.init(persona: .gitHub)) { other in
                other.faults.next(at: .api, .answer(body: "[]", header: ["Link": "<\(tool.server.issuer)/user?page=2>; rel=\"next\""]))
                tool.server.faults.next(at: .api, .answer(status: 302, header: ["Location": other.issuer + "/user"]))
                let before = tool.server.log.requests(path: "/user")
                let output = try await tool.run("request", "/user", "--paginate")
                #expect(output.status == 7 && output.text.isEmpty, "\(output.errorText)")
                #expect(output.errorText.contains("a redirect led to \(other.issuer)"), "\(output.errorText)")
                #expect(tool.server.log.requests(path: "/user") == before + 1)
                #expect(other.log.entries.map(\.hasBearerToken) == [false])
            }
        }
    }

    @Test func `pages that never end are an error, and so is a page that fails`() async throws {
        try await signedIn { tool in
            let link = ["Link": #"</user>; rel="next""#]
            tool.server.faults.next(at: .api, .answer(body: "[]", header: link), .answer(body: "[]", header: link))
            let endless = try await tool.run("request", "/user", "--paginate")
            #expect(endless.status == 1 && endless.errorText.contains("the pages never end") && endless.text.isEmpty)
            tool.server.faults.clear()
            tool.server.faults.next(
                at: .api, .answer(body: "[]", header: ["Link": #"</user?page=2>; rel="next""#]), .answer(status: 404, body: "{}"))
            let failed = try await tool.run("request", "/user", "--paginate")
            #expect(failed.status == 1 && failed.text == "{}" && failed.errorText.contains("404"))
        }
    }

    struct PagesRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bodies: [String]
        var words = ["--paginate"]
        var method = "GET"
        var status: Int32 = 0
        /// The names of the parameters in the query of the last request.
        var queryNames: [String] = []
        var told = ""
        /// Whether anything may be written to standard error.
        var tells = true
    }

    private static func address(_ page: String) -> [String] {
        [page, #"{"next":null,"items":[2]}"#]
    }

    static let pagesRows: [PagesRow] = [
        PagesRow(testDescription: "next", bodies: address(#"{"next":"/user?page=2"}"#), queryNames: ["page"]),
        PagesRow(testDescription: "next that is a query", bodies: address(#"{"next":"?page=2"}"#), queryNames: ["page"]),
        PagesRow(testDescription: "links.next", bodies: address(#"{"links":{"next":"/user?page=2"}}"#), queryNames: ["page"]),
        PagesRow(testDescription: "links.next.href", bodies: address(#"{"links":{"next":{"href":"/user?a=2"}}}"#), queryNames: ["a"]),
        PagesRow(testDescription: "_links.next.href", bodies: address(#"{"_links":{"next":{"href":"/user?a=2"}}}"#), queryNames: ["a"]),
        PagesRow(testDescription: "paging.next", bodies: address(#"{"paging":{"next":"/user?after=2"}}"#), queryNames: ["after"]),
        PagesRow(testDescription: "@odata.nextLink", bodies: address(#"{"@odata.nextLink":"/user?$skip=2"}"#), queryNames: ["$skip"]),
        PagesRow(
            testDescription: "next in capital letters", bodies: [#"{"next":"HTTPS://other.example/"}"#], status: 7, told: "another origin"),
        PagesRow(testDescription: "next.href", bodies: address(#"{"next":{"href":"/user?a=2"}}"#), queryNames: ["a"]),
        PagesRow(
            testDescription: "a list of links",
            bodies: address(#"{"links":[{"rel":"self","href":"/user"},{"rel":"next","href":"/user?o=2"}]}"#),
            queryNames: ["o"]),
        PagesRow(testDescription: "RS19: a next that is not a URL", bodies: [#"{"next":"soon"}"#], status: 1, told: "is not a URL"),
        PagesRow(testDescription: "RS19: a next that is a number", bodies: [#"{"next":2}"#], status: 1, told: "is not a URL"),
        PagesRow(
            testDescription: "RS19: a next of another scheme", bodies: [#"{"links":{"next":"ftp://x/2"}}"#], status: 1, told: "is not a URL"
        ),
        PagesRow(testDescription: "RS19: a page that is not JSON", bodies: ["<items/>"], status: 1, told: "not valid JSON"),
        PagesRow(testDescription: "RS19: a truncated page", bodies: [#"[{"id":1},{"id"#], status: 1, told: "not valid JSON"),
        PagesRow(
            testDescription: "RS19: the second page cannot be read", bodies: [#"{"next":"?page=2"}"#, #"{"a":1,"a":2}"#], status: 1,
            queryNames: ["page"], told: "not valid JSON"),
        PagesRow(testDescription: "RS19: more pages without a link", bodies: [#"{"has_more":true}"#], status: 1, told: "has_more"),
        PagesRow(
            testDescription: "RS19: a token without a link", bodies: [#"{"nextPageToken":"a"}"#], status: 1, told: "nextPageToken"),
        PagesRow(
            testDescription: "RS19: more pages without the cursor", bodies: [#"{"c":null,"has_more":true}"#],
            words: ["--cursor", "c=after"],
            status: 1, told: "has no c"),
        PagesRow(testDescription: "the last page of a token", bodies: [#"{"nextPageToken":"","has_more":false}"#]),
        PagesRow(testDescription: "a next in an element", bodies: [#"[{"next":"/user?page=2"}]"#]),
        PagesRow(
            testDescription: "a next that leads back", bodies: [#"{"next":"/user?a=1"}"#, #"{"next":"/user?a=1"}"#], status: 1,
            queryNames: ["a"], told: "the pages never end"),
        PagesRow(
            testDescription: "a next at another origin, without its query", bodies: [#"{"next":"https://other.example/user?t=s"}"#],
            status: 7, told: "another origin (https://other.example)"),
        PagesRow(
            testDescription: "a cursor", bodies: [#"{"meta":{"next_cursor":"a="}}"#, #"{"meta":{"next_cursor":7}}"#, #"{"meta":{}}"#],
            words: ["--cursor", "meta.next_cursor=cursor"], queryNames: ["cursor"]),
        PagesRow(
            testDescription: "an empty cursor is the last", bodies: [#"{"c":"a"}"#, #"{"c":""}"#], words: ["--cursor", "c=after"],
            queryNames: ["after"]),
        PagesRow(
            testDescription: "a cursor ignores addresses", bodies: [#"{"next":"/user?a=1"}"#], words: ["--cursor", "c=after"],
            told: "the page has no member c, so it is taken for the only page"),
        PagesRow(testDescription: "one page with an empty cursor", bodies: [#"{"c":null}"#], words: ["--cursor", "c=after"], tells: false),
        PagesRow(
            testDescription: "one page without a cursor, and a flag", bodies: [#"{"has_more":false}"#], words: ["--cursor", "c=after"],
            tells: false),
        PagesRow(
            testDescription: "a cursor that was already sent", bodies: [#"{"c":"a"}"#, #"{"c":"a"}"#], words: ["--cursor", "c=after"],
            status: 1, queryNames: ["after"], told: "the pages never end"),
        PagesRow(
            testDescription: "a cursor of GraphQL, whose last page has one, too",
            bodies: [
                #"{"data":{"pageInfo":{"endCursor":"a","hasNextPage":true}}}"#,
                #"{"data":{"pageInfo":{"endCursor":"b","hasNextPage":false}}}"#,
            ], words: ["--json", #"{"query":"{}"}"#, "--cursor", "data.pageInfo.endCursor=variables.after"], method: "POST"),
        PagesRow(
            testDescription: "a cursor that is an object", bodies: [#"{"c":{}}"#], words: ["--cursor", "c=after"], status: 64,
            told: "c is neither a string nor a number"),
        PagesRow(
            testDescription: "a page without members", bodies: ["[]"], words: ["--cursor", "c=after"], status: 64,
            told: "the page is not a JSON object"),
        PagesRow(
            testDescription: "a body that is not JSON", bodies: [#"{"c":"a"}"#], words: ["-d", "text", "--cursor", "c=after"],
            method: "POST", status: 64, told: "which the body is not"),
        PagesRow(
            testDescription: "another method", bodies: [], words: ["--cursor", "c=after"], method: "PUT", status: 64,
            told: "--cursor needs the method GET or POST"),
        PagesRow(
            testDescription: "a cursor without a parameter", bodies: [], words: ["--cursor", "c"], status: 64, told: "--cursor"),
    ]

    @Test(arguments: pagesRows) func `follows the pages in every form`(row: PagesRow) async throws {
        try await signedIn { tool in
            for body in row.bodies { tool.server.faults.next(at: .api, .answer(body: body)) }
            let before = tool.server.log.entries.count
            let output = try await tool.run(["request", row.method, "/user"] + row.words)
            #expect(output.status == row.status, "\(output.errorText)")
            #expect(output.errorText.contains(row.told) && (row.tells || output.errorText.isEmpty), "\(output.errorText)")
            #expect(output.text == (row.status == 0 ? row.bodies.joined(separator: "\n") + "\n" : ""))
            let entries = tool.server.log.entries[before...].filter { $0.path == "/user" }
            #expect(entries.count == row.bodies.count && entries.allSatisfy { $0.hasBearerToken && $0.method == row.method })
            #expect((entries.last?.queryNames ?? []) == row.queryNames)
        }
    }

    // MARK: - Files

    @Test func `-O writes a file, replaces one, and follows a link to one`() async throws {
        try await signedIn { tool in
            let file = try tool.folder.write("earlier", to: "out.json", permissions: 0o640)
            try FileManager.default.createSymbolicLink(atPath: tool.folder.path + "/link", withDestinationPath: "out.json")
            for (words, path) in [(["-O", file], file), (["--output-file", tool.folder.path + "/link"], file)] {
                _ = try tool.folder.write("earlier", to: "out.json", permissions: 0o640)
                let output = try await tool.run(["request", "/user"] + words)
                #expect(output.status == 0 && output.text.isEmpty, "\(output.errorText)")
                #expect(try JSONValue(strict: Array(tool.folder.read("out.json").utf8))["login"] == "octocat")
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect(attributes[.posixPermissions] as? Int == 0o640)
            }
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: tool.folder.path + "/link") == "out.json")
        }
    }

    @Test(arguments: [
        ("a status that is a failure", Fault.answer(status: 404, body: "none")), ("a response that is cut off", Fault.truncated),
        ("no response", .dropConnection),
    ])
    func `-O leaves nothing behind, and the earlier file unchanged`(description: String, fault: Fault) async throws {
        try await signedIn { tool in
            tool.server.faults.always(at: .api, fault)
            _ = try tool.folder.write("earlier", to: "out.json")
            for name in ["out.json", "new.json"] {
                let before = try tool.folder.files().sorted()
                let output = try await tool.run("request", "/user", "-O", "\(tool.folder.path)/\(name)")
                #expect(output.status != 0 && !output.errorText.isEmpty)
                #expect(try tool.folder.files().sorted() == before)
            }
            #expect(try tool.folder.read("out.json") == "earlier")
        }
    }

    // MARK: - jq

    @Test func `--jq filters the output, writes to files, and sees -o json`() async throws {
        try await signedIn { tool in
            #expect(try await tool.run("request", "/user", "--jq", ".login, .id").text.hasPrefix("octocat\n"))
            let wrapped = try await tool.run("request", "/user", "--jq=-.status", "-o", "json")
            #expect(wrapped.text == "-200\n", "\(wrapped.errorText)")
            let many = try await tool.run("request", "/user/repos", "--paginate", "--jq", "length", "-O", tool.folder.path + "/n")
            #expect(many.status == 0 && many.text.isEmpty)
            #expect(try tool.folder.read("n") == "57\n")
            let wrong = try await tool.run("request", "/user", "--jq", ".[")
            #expect(wrong.status == 1 && wrong.errorText.contains("jq failed"), "\(wrong.errorText)")
            #expect(wrong.errorText.contains("syntax error"), "jq's message is shown: \(wrong.errorText)")
            let reported = try await tool.run("request", "/user", "--jq", ".[", "-o", "json").errorJSON()
            #expect(reported["code"] == "jq_failed" && reported["message"]?.string?.contains("syntax error") == true)
            // A failure is shown as it is.
            #expect(try await tool.run("request", "/nothing", "--jq", ".login").text.contains("Not Found"))
        }
    }

    @Test func `without jq, says so before anything is sent; jq gets neither a token nor the tool's variables`() async throws {
        try await signedIn { tool in
            var tool = tool
            let count = tool.server.log.entries.count
            tool.environment["PATH"] = tool.folder.path
            let missing = try await tool.run("request", "/user", "--jq", ".")
            #expect(missing.status == 1 && missing.errorText.contains("next: install jq, or leave out --jq"), "\(missing.errorText)")
            #expect(tool.server.log.entries.count == count)
            let token = try await tool.run("token").text
            _ = try tool.folder.write(
                "#!/bin/sh\n/usr/bin/env\n/bin/echo \"$@\"\n/bin/ls -l /proc/$$/fd\n/bin/cat\n",
                to: "jq", permissions: 0o700)
            let output = try await tool.run("request", "/user", "--jq", ".x")
            #expect(output.text.contains("-r  .x\n") && output.text.contains("\"login\""), "\(output.errorText)")
            #expect(!output.text.contains(token.prefix(while: { $0 != "\n" })) && !output.text.contains("AUTHHUB_"), "\(output.text)")
            let sockets = output.text.split(separator: "\n").filter { $0.contains("socket:") && !$0.contains(" 2 -> ") }
            #expect(sockets.isEmpty, "\(sockets)")
        }
    }

    @Test func `jq's messages cannot control the terminal, and are cut off`() async throws {
        try await signedIn { tool in
            let said = "\u{1B}]0;title\u{7}\u{1B}[31m red \u{202E}"
            for (expression, status) in [("stderr | .login", Int32(0)), ("error(.name)", 1)] {
                let body = JSONValue.object(["login": "x", "name": .string(said)].reduce(into: JSONObject()) { $0[$1.key] = $1.value })
                tool.server.faults.next(at: .api, .answer(body: String(decoding: body.serialized(), as: UTF8.self)))
                let output = try await tool.run("request", "/user", "--jq", expression)
                #expect(output.status == status && output.errorText.contains(" red "), "\(output.errorText)")
                #expect(!output.errorText.unicodeScalars.contains { ["\u{1B}", "\u{7}", "\u{202E}"].contains($0) }, "\(output.errorText)")
            }
            tool.server.faults.next(at: .api, .answer(body: "\"\(String(repeating: "x", count: 1_000_000))\""))
            let long = try await tool.run("request", "/user", "--jq", "stderr | length")
            #expect(long.status == 0 && long.text == "1000000\n" && long.errorText.utf8.count < 5000, "\(long.errorText.utf8.count)")
        }
    }

    @Test func `jq that reads nothing does not end the tool`() async throws {
        try await signedIn { tool in
            var tool = tool
            tool.environment["PATH"] = "\(tool.folder.path):/usr/bin:/bin"
            _ = try tool.folder.write("#!/bin/sh\nexec 0<&-\necho done\n", to: "jq", permissions: 0o700)
            tool.server.faults.always(at: .api, .answer(body: "\"" + String(repeating: "x", count: 1_000_000) + "\""))
            let output = try await tool.run("request", "/user", "--jq", ".")
            #expect(output.status == 0 && output.text == "done\n", "\(output.errorText)")
        }
    }
}
