import AniListAPI
import AuthHub
import AuthHubPrimitives
import AuthHubTesting
import CredentialStorage
import HTTPLoading
import HTTPTypes
import OAuthProtocol
import Testing

struct AniListTests {
    private static let api = "https://graphql.example.com"

    /// The API with a signed-out session: requests carry no token, and responses are scripted.
    private func aniList(_ answers: ScriptedAnswer...) -> (AniList, ScriptedTransport) {
        let transport = ScriptedTransport(answers.map { ScriptedTransport.Step(.post("/"), $0) })
        var configuration = OAuthSession.Configuration(
            server: .aniList, client: OAuthClient(id: "42"), grant: .authorizationCode(ScriptedBrowser { _ in .cancelled }),
            store: MemoryCredentialStore(), dependencies: Dependencies(transport: transport))
        configuration.prompting = .manual
        let session = OAuthSession(configuration)
        return (AniList(session: session, endpoint: Self.api), transport)
    }

    @Test func `RS14: does not follow a redirect when asking who is signed in`() async throws {
        let (aniList, transport) = aniList(.redirect(.seeOther, to: "https://evil.example/graphql"))
        let error = await #expect(throws: AniListError.self) { try await aniList.viewer() }
        #expect((error?.underlying as? LoadError)?.code == .redirectRefused)
        #expect(transport.requests.count == 1)
    }

    @Test func `requests the viewer with GraphQL and removes what could harm a terminal`() async throws {
        let (aniList, transport) = aniList(
            .json(["data": ["Viewer": ["id": 7, "name": "ot\u{202E}aku", "siteUrl": "https://anilist.co/user/otaku"]]]))
        let viewer = try await aniList.viewer()
        #expect(viewer.id == 7 && viewer.name == "otaku" && viewer.page == "https://anilist.co/user/otaku")
        let request = try #require(transport.requests.first)
        #expect(request.head.headerFields[.accept] == "application/json")
        #expect(request.body.contentType?.hasPrefix("application/json") == true)
        try transport.verifyFinished()
    }

    @Test func `sends variables next to the query, never inside it`() async throws {
        let (aniList, transport) = aniList(.json(["data": ["Page": ["total": 3]]]))
        let request = GraphQLRequest("query ($search: String) { Page { total } }", variables: ["search": "\") { id } #"]) {
            data throws(AniListError) in
            guard let total = data["Page"]?["total"]?.number?.int64 else { throw AniListError(missing: "the total") }
            return total
        }
        #expect(try await aniList.load(request) == 3)
        let json = try JSONValue(strict: try #require(transport.requests.first?.body.bytes))
        #expect(json["query"]?.string == request.query)
        #expect(json["variables"]?["search"]?.string == "\") { id } #")
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: ScriptedAnswer
        let code: AniListError.Code
        var messages: [String] = []
        var retryAfter: Int?
    }

    private static func errors(_ message: String, _ status: Int64) -> JSONValue {
        ["errors": [["message": .string(message), "status": .number(JSONNumber(status))]], "data": .null]
    }

    static let rows = [
        Row(
            testDescription: "no token", answer: .json(errors("Unauthorized.", 401), status: 401), code: .notSignedIn,
            messages: ["Unauthorized."]),
        Row(
            testDescription: "an expired token", answer: .json(errors("Invalid token", 400), status: 400), code: .notSignedIn,
            messages: ["Invalid token"]),
        Row(testDescription: "errors with status 200", answer: .json(errors("validation", 400)), code: .refused, messages: ["validation"]),
        Row(
            testDescription: "errors next to data",
            answer: .json(["errors": [["message": "half"]], "data": ["Viewer": ["id": 1, "name": "x"]]]), code: .refused, messages: ["half"]
        ),
        Row(
            testDescription: "a message that could harm a terminal", answer: .json(errors("no\u{1B}[31m", 400)), code: .refused,
            messages: ["no[31m"]),
        Row(
            testDescription: "no such user", answer: .json(errors("Not Found.", 404), status: 404), code: .notFound,
            messages: ["Not Found."]),
        Row(
            testDescription: "too many requests",
            answer: .json(errors("Too Many Requests.", 429), status: 429, headers: [.retryAfter: "30"]),
            code: .rateLimited, messages: ["Too Many Requests."], retryAfter: 30),
        Row(
            testDescription: "an empty list of errors is not an error, but the data is missing",
            answer: .json(["errors": [], "data": .null]),
            code: .unexpectedResponse),
        Row(testDescription: "data without the viewer", answer: .json(["data": ["Viewer": .null]]), code: .unexpectedResponse),
        Row(testDescription: "a web page", answer: .status(.ok, body: Array("<html>".utf8)), code: .unexpectedResponse),
    ]

    @Test(arguments: rows)
    func `reports AniList's own error messages`(row: Row) async throws {
        let (aniList, _) = aniList(row.answer)
        let error = await #expect(throws: AniListError.self) { try await aniList.viewer() }
        #expect(error?.code == row.code)
        #expect(error?.messages == row.messages)
        #expect(error?.retryAfter == row.retryAfter)
    }
}
