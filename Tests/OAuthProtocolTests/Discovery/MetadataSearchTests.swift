import AuthHubPrimitives
import HTTPTypes
import OAuthProtocol
import Testing

struct MetadataSearchTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answers: [(status: Int, location: String?)]
        var follows = false
        /// The requested URLs, in order. URLs of the server itself are listed as paths.
        let asked: [String]
        let expected: Outcome

        enum Outcome: Sendable, Equatable {
            case found, nothing
            case failed(OAuthError.Code)
        }
    }

    private static let oauth = "/.well-known/oauth-authorization-server/t"
    private static let openID = "/.well-known/openid-configuration/t"
    private static let appended = "/t/.well-known/openid-configuration"

    private static func row(
        _ description: String, _ statuses: Int..., follows: Bool = false, asking asked: [String], is expected: Row.Outcome
    ) -> Row {
        Row(testDescription: description, answers: statuses.map { ($0, nil) }, follows: follows, asked: asked, expected: expected)
    }

    static let rows: [Row] = [
        row("DD06 the first has it", 200, asking: [oauth], is: .found),
        row("DD06 404, then found", 404, 200, asking: [oauth, openID], is: .found),
        row("DD05, DD06 404 and 410, then at the end of the path", 404, 410, 200, asking: [oauth, openID, appended], is: .found),
        row("DD06 nothing anywhere", 404, 404, 404, asking: [oauth, openID, appended], is: .nothing),
        row("DD06 500 ends the search", 500, asking: [oauth], is: .failed(.serverRejected)),
        row("DD06 404, then 503 ends it", 404, 503, asking: [oauth, openID], is: .failed(.serverRejected)),
        row("DD06 401, as a portal answers for any path, then found", 401, 200, asking: [oauth, openID], is: .found),
        row("DD06 400 and 403, then found", 400, 403, 200, asking: [oauth, openID, appended], is: .found),
        row("DD06 401 everywhere", 401, 401, 401, asking: [oauth, openID, appended], is: .nothing),
        row("DD06 429 ends the search", 429, asking: [oauth], is: .failed(.serverRejected)),
        row("DD06 401, then 429 ends it", 401, 429, asking: [oauth, openID], is: .failed(.serverRejected)),
        row("DD07 a redirect is no document", 302, 200, asking: [oauth, openID], is: .found),
        Row(
            testDescription: "DD07 a redirect is no document, wherever it leads",
            answers: [(301, "https://as.example/metadata"), (307, "https://as.example/login"), (308, nil)],
            asked: [oauth, openID, appended], expected: .nothing),
        row("DD06 no content, then found", 204, 200, asking: [oauth, openID], is: .found),
        Row(
            testDescription: "DD07 a redirect is followed if the profile says so", answers: [(301, "/metadata"), (200, nil)], follows: true,
            asked: [oauth, "/metadata"], expected: .found),
        Row(
            testDescription: "DD07 to another host, too", answers: [(307, "https://cdn.example/m"), (200, nil)], follows: true,
            asked: [oauth, "https://cdn.example/m"], expected: .found),
        Row(
            testDescription: "DD07 never to http", answers: [(302, "http://as.example/m"), (404, nil), (404, nil)], follows: true,
            asked: [oauth, openID, appended], expected: .nothing),
        Row(
            testDescription: "DD07 never to this machine's files", answers: [(302, "file:///etc/passwd"), (200, nil)], follows: true,
            asked: [oauth, openID], expected: .found),
        Row(
            testDescription: "DD07 at most three times", answers: Array(repeating: (302, "/m"), count: 4) + [(200, nil)], follows: true,
            asked: [oauth, "/m", "/m", "/m", openID], expected: .found),
        Row(
            testDescription: "DD07 the search continues if it leads to nothing", answers: [(302, "/m"), (404, nil), (200, nil)],
            follows: true,
            asked: [oauth, "/m", openID], expected: .found),
        Row(
            testDescription: "DD07 without a target", answers: [(302, nil), (200, nil)], follows: true, asked: [oauth, openID],
            expected: .found),
    ]

    @Test(arguments: rows)
    func `DD05, DD06, DD07: requests the next URL only if there is no document`(row: Row) throws {
        var quirks = ProviderQuirks.DiscoveryQuirks()
        quirks.followsRedirectsOfMetadata = row.follows
        var search = MetadataSearch(of: try Issuer("https://as.example/t"), discovery: quirks)
        var asked: [String] = []
        var answers = row.answers[...]
        var outcome = Row.Outcome.nothing
        while let address = search.url, outcome == .nothing {
            asked.append(address)
            let next = answers.popFirst()
            let answer = try #require(next)
            var head = HTTPResponse(status: .init(code: answer.status))
            head.headerFields[.location] = answer.location
            do throws(OAuthError) {
                let document = try search.accept(head, body: Secret(Array(#"{"issuer":"https://as.example/t"}"#.utf8)))
                if document != nil { outcome = .found }
            } catch {
                outcome = .failed(error.code)
            }
        }
        #expect(asked == row.asked.map { $0.hasPrefix("/") ? "https://as.example\($0)" : $0 })
        #expect(outcome == row.expected)
        #expect(answers.isEmpty)
    }

    @Test func `DD18: compares the issuer even after a redirect`() throws {
        var quirks = ProviderQuirks.DiscoveryQuirks()
        quirks.followsRedirectsOfMetadata = true
        var search = MetadataSearch(of: try Issuer("https://as.example"), discovery: quirks)
        var head = HTTPResponse(status: .found)
        head.headerFields[.location] = "https://evil.example/metadata"
        #expect(try search.accept(head, body: Secret([])) == nil)
        let failure = error { () throws(OAuthError) in
            try search.accept(HTTPResponse(status: .ok), body: Secret(Array(#"{"issuer":"https://evil.example"}"#.utf8)))
        }
        #expect(failure?.code == .securityCheckFailed)
    }

    @Test func `DD06: reports all responses if there is no document`() throws {
        var search = MetadataSearch(of: try Issuer("https://as.example"))
        for status in [401, 404] { #expect(try search.accept(HTTPResponse(status: .init(code: status)), body: Secret([])) == nil) }
        #expect(search.url == nil)
        #expect(search.misses.map(\.answer) == ["401", "404"])
        #expect(search.misses.map(\.url) == (try Issuer("https://as.example").metadataURLs))
    }

    @Test(arguments: [
        ("DD08 a web page", "<!DOCTYPE html><title>Sign in</title>", "text/html", "200, a web page"),
        ("DD08 a large web page", "<html>" + String(repeating: " ", count: 300 * 1024), "text/html; charset=utf-8", "200, a web page"),
        ("DD08 plain text", "not found", "text/plain", "200, not a JSON object"),
        ("DD08 nothing", "", "text/plain", "200, not a JSON object"),
        ("DD08 an array", "[]", "application/json", "200, not a JSON object"),
        ("DD08 a string", #""{}""#, "application/json", "200, not a JSON object"),
        ("DD01 an error as JSON", #"{"error":"not found"}"#, "application/json", "200, JSON without issuer"),
        ("DD01 an issuer that is null", #"{"issuer":null}"#, "application/json", "200, JSON without issuer"),
        ("DD01 an empty issuer", #"{"issuer":""}"#, "application/json", "200, JSON without issuer"),
    ])
    func `DD06: a response that is not a metadata document leads to the next URL`(
        description: String, body: String, mediaType: String, answer: String
    ) throws {
        var search = MetadataSearch(of: try Issuer("https://as.example"))
        let first = try #require(search.url)
        let head = HTTPResponse(status: .ok, headerFields: [.contentType: mediaType])
        #expect(try search.accept(head, body: Secret(Array(body.utf8))) == nil, "\(description)")
        #expect(search.misses.map(\.url) == [first] && search.misses.map(\.answer) == [answer], "\(description)")
        let document = Secret(Array(#"{"issuer":"https://as.example"}"#.utf8))
        #expect(try search.accept(HTTPResponse(status: .ok), body: document)?.issuer == "https://as.example")
        #expect(search.place == "https://as.example/.well-known/openid-configuration")
    }

    @Test(arguments: [
        ("DD08 a member twice", 200, #"{"issuer":"https://as.example","issuer":"https://as.example"}"#),
        ("DD08 a document that is cut off", 200, #"{"issuer":"https://as.exa"#),
        ("DD02 another issuer", 200, #"{"issuer":"https://b.example"}"#),
        ("DD06 a failing server", 500, "{}"),
    ])
    func `DD06: an error about a document names its URL`(description: String, status: Int, body: String) throws {
        var search = MetadataSearch(of: try Issuer("https://as.example"))
        let failure = error { () throws(OAuthError) in
            try search.accept(HTTPResponse(status: .init(code: status)), body: Secret(Array(body.utf8)))
        }
        let place = "https://as.example/.well-known/oauth-authorization-server"
        #expect(failure?.explanation.contains(place) == true, "\(description): \(failure?.explanation ?? "")")
    }

    @Test func `DD05: the URL of a document is requested, too, because someone may have entered it as the issuer`() throws {
        let typed = "https://as.example/t/.well-known/openid-configuration"
        var search = MetadataSearch(of: try Issuer(typed))
        #expect(search.url == typed)
        let failure = error { () throws(OAuthError) in
            try search.accept(HTTPResponse(status: .ok), body: Secret(Array(#"{"issuer":"https://as.example/t"}"#.utf8)))
        }
        #expect((failure?.underlying as? OtherIssuer)?.issuer == "https://as.example/t")
    }

    @Test func `DD07: the target of a redirect that is not followed is reported, without its query`() throws {
        var search = MetadataSearch(of: try Issuer("https://as.example"))
        var head = HTTPResponse(status: .found)
        head.headerFields[.location] = "https://elsewhere.example/metadata?token=1"
        #expect(try search.accept(head, body: Secret([])) == nil)
        #expect(search.misses.map(\.answer) == ["302, a redirect to https://elsewhere.example"])
    }
}

extension MetadataSearchTests.Row {
    init(
        testDescription: String, answers: [(Int, String?)], follows: Bool = false, asked: [String], expected: Outcome
    ) {
        self.testDescription = testDescription
        self.answers = answers.map { (status: $0.0, location: $0.1) }
        self.follows = follows
        self.asked = asked
        self.expected = expected
    }
}
