import AuthHubPrimitives
import Testing

@testable import AuthHubCommand

struct GitCredentialRequestTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        /// The server that would get an answer.
        let origin: String?
        let userName: String?
        let offersBearer: Bool
        let acceptsSchemes: Bool

        init(
            _ testDescription: String, _ text: String, origin: String? = nil, userName: String? = nil, offersBearer: Bool = false,
            acceptsSchemes: Bool = false
        ) {
            self.testDescription = testDescription
            self.text = text
            self.origin = origin
            self.userName = userName
            self.offersBearer = offersBearer
            self.acceptsSchemes = acceptsSchemes
        }
    }

    static let rows: [Row] = [
        Row("git 2.39", "protocol=https\nhost=github.com\n\n", origin: "https://github.com"),
        Row("no empty line at the end", "protocol=https\nhost=github.com\n", origin: "https://github.com"),
        Row("no line break at the end", "protocol=https\nhost=github.com", origin: "https://github.com"),
        Row("an uppercase host", "protocol=https\nhost=GitHub.COM\n", origin: "https://github.com"),
        Row("the default port", "protocol=https\nhost=github.com:443\n", origin: "https://github.com"),
        Row("another port", "protocol=https\nhost=git.example:8443\n", origin: "https://git.example:8443"),
        Row(
            "a user name and a path", "protocol=https\nhost=h.example\npath=a/b.git\nusername=Work\n", origin: "https://h.example",
            userName: "Work"),
        Row("an empty user name", "protocol=https\nhost=h.example\nusername=\n", origin: "https://h.example"),
        Row("a value with an equals sign", "protocol=https\nhost=h.example\nusername=a=b\n", origin: "https://h.example", userName: "a=b"),
        Row("text after the empty line", "protocol=https\nhost=h.example\n\nhost=evil.example\n", origin: "https://h.example"),
        Row("the last of two hosts counts, as in git", "protocol=https\nhost=a.example\nhost=b.example\n", origin: "https://b.example"),
        Row("unknown attributes are ignored", "protocol=https\nhost=h.example\nfrob=1\nfrob[]=\n", origin: "https://h.example"),
        Row("http", "protocol=http\nhost=127.0.0.1:8080\n", origin: "http://127.0.0.1:8080"),
        Row("another protocol", "protocol=ssh\nhost=github.com\n"),
        Row("a host with a path", "protocol=https\nhost=github.com/evil\n"),
        Row("a host with a user", "protocol=https\nhost=github.com@evil.example\n"),
        Row("a host with an encoded character", "protocol=https\nhost=github.com%2eevil.example\n"),
        Row("a host with a trailing dot is another host", "protocol=https\nhost=github.com.\n", origin: "https://github.com."),
        Row("a host with a port that is not a number", "protocol=https\nhost=github.com:4x\n"),
        Row("no host", "protocol=https\n"),
        Row("nothing", ""),
        Row(
            "git 2.46 at a server with bearer tokens",
            "capability[]=authtype\ncapability[]=state\nprotocol=https\nhost=h.example\nwwwauth[]=Basic realm=\"x\"\nwwwauth[]=Bearer realm=\"Forgejo\"\n",
            origin: "https://h.example", offersBearer: true, acceptsSchemes: true),
        Row(
            "git 2.41 at a server with both in one field", "protocol=https\nhost=h.example\nwwwauth[]=Basic realm=\"x\", bearer\n",
            origin: "https://h.example", offersBearer: true),
        Row(
            "a realm that only looks like a scheme", "protocol=https\nhost=h.example\nwwwauth[]=Basic realm=\"a, Bearer realm=b\"\n",
            origin: "https://h.example"),
        Row(
            "an empty value clears a list",
            "capability[]=authtype\ncapability[]=\nprotocol=https\nhost=h.example\nwwwauth[]=Bearer\nwwwauth[]=\n",
            origin: "https://h.example"),
    ]

    @Test(arguments: rows)
    func `reads what git writes`(row: Row) throws {
        let request = try GitCredentialRequest(Array(row.text.utf8))
        #expect(request.origin?.description == row.origin)
        #expect(request.userName == row.userName)
        #expect(request.offersBearer == row.offersBearer)
        #expect(request.acceptsSchemes == row.acceptsSchemes)
    }

    @Test(arguments: [
        ("a line without an equals sign", "protocol=https\nhost\n"),
        ("a line without a name", "protocol=https\n=github.com\n"),
        ("a carriage return", "protocol=https\nhost=github.com\r\n"),
        ("a carriage return in an attribute that is not used", "protocol=https\nhost=github.com\nfrob=a\rhost=evil\n"),
        ("a null byte", "protocol=https\nhost=github.com\u{0}.evil.example\n"),
        ("a URL instead of its parts", "url=https://github.com\n"),
        ("a URL that hides the host", "protocol=https\nhost=github.com\nurl=https://evil.example\n"),
        ("a line that is too long", "protocol=https\nhost=github.com\nfrob=\(String(repeating: "x", count: 65_530))\n"),
        ("a user name that is not UTF-8", "username=\u{FFFD}"),
    ])
    func `rejects a line that git never writes`(description: String, text: String) {
        let bytes = Array(text.utf8.split(separator: 0xEF, maxSplits: 1, omittingEmptySubsequences: false).joined(separator: [0xFF]))
        #expect("\(description)") {
            _ = try GitCredentialRequest(bytes)
        } throws: { error in
            (error as? Failure)?.exit == .usage
        }
    }

    @Test func `accepts the longest line that git writes, and reads the longest challenges`() throws {
        let start = "protocol=https\nhost=github.com\nwwwauth[]=Basic realm=\""
        let longest = "frob=\(String(repeating: "x", count: 65_535 - 6))\n"
        #expect(longest.utf8.count == 65_535)
        #expect(try GitCredentialRequest(Array((start + "x\"\n" + longest).utf8)).origin != nil)
        let many = String(repeating: "wwwauth[]=Basic\n", count: 20_000)
        #expect(try GitCredentialRequest(Array(("protocol=https\nhost=h.example\n" + many).utf8)).offersBearer == false)
    }

    @Test func `names the scope that the token lacks`() throws {
        let text = "wwwauth[]=Bearer error=\"insufficient_scope\", scope=\"repo workflow\"\n"
        #expect(try GitCredentialRequest(Array(text.utf8)).missingScope == "repo workflow")
        #expect(try GitCredentialRequest(Array("wwwauth[]=Bearer error=\"invalid_token\"\n".utf8)).missingScope == nil)
    }

    @Test func `shows no token in its description`() throws {
        let request = try GitCredentialRequest(Array("protocol=https\nhost=h.example\npassword=secret-token\n".utf8))
        #expect(request.token == Secret("secret-token"))
        #expect(!"\(request)".contains("secret-token"))
    }
}
