import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Testing

struct DecodingTests {
    private struct User: Decodable, Equatable {
        let id: Int
        let login: String
    }

    private func load(_ answer: ScriptedAnswer, from url: String = "https://api.example.com/user") async throws -> LoadResponse {
        let api = try #require(Origin(url: "https://api.example.com"))
        let credentials = try BasicCredentials(userID: "octocat", password: Secret("canary-0123456789"))
        let authorizer = try BasicAuthorizer(credentials, origins: [api])
        let chain = try Chain(transport: ScriptedTransport([.init(.any, answer)]), [AuthorizeLoader(authorizer)])
        return try await chain.load(.get(url))
    }

    @Test(arguments: [HTTPResponse.Status.ok, .created, .accepted])
    func `decodes the JSON of every 2xx response`(status: HTTPResponse.Status) async throws {
        let response = try await load(.json(["id": 1, "login": "octocat", "more": []], status: status))
        #expect(try await response.decode(User.self) == User(id: 1, login: "octocat"))
    }

    @Test func `reports the status, the media type and the beginning of an error response, without the credential`() async throws {
        let encoded = "b2N0b2NhdDpjYW5hcnktMDEyMzQ1Njc4OQ=="
        let text = "<p>No \u{202E}access for Basic \(encoded)</p>" + String(repeating: "x", count: 20_000)
        let response = try await load(.status(.forbidden, headers: [.contentType: "Text/HTML; charset=utf-8"], body: Array(text.utf8)))
        let error = await #expect(throws: ResponseError.self) { try await response.decode(User.self) }
        #expect(error?.code == .unexpectedStatus && error?.status == .forbidden && error?.mediaType == "text/html")
        #expect(error?.bodyPrefix.hasPrefix("<p>No access for ") == true && error?.bodyPrefix.unicodeScalars.count == 300)
        let description = String(describing: error)
        #expect(!description.contains(encoded) && !description.contains("canary"))
        #expect(error?.description.hasPrefix("unexpected_status: the server returned 403 (text/html): <p>No access") == true)
    }

    @Test(arguments: [("https://api.example.com/", false), ("https://other.example/", true)])
    func `says that the credential was withheld if a 401 follows`(url: String, isWithheld: Bool) async throws {
        let response = try await load(.status(.unauthorized), from: url)
        let error = await #expect(throws: ResponseError.self) { try await response.decode(User.self) }
        #expect(error?.isCredentialWithheld == isWithheld)
        #expect(error?.description.contains("sent without a credential") == isWithheld)
    }

    @Test(arguments: ["", "<html>", #"{"id": "canary"}"#])
    func `rejects a body that is not the expected JSON, and does not quote it`(body: String) async throws {
        let response = try await load(.status(.ok, body: Array(body.utf8)))
        let error = await #expect(throws: ResponseError.self) { try await response.decode(User.self) }
        #expect(error?.code == .unexpectedBody && error?.status == .ok && error?.mediaType == nil && error?.bodyPrefix == "")
        #expect(error?.underlying is DecodingError)
        #expect(error?.description == "unexpected_body: the server returned 200")
    }

    @Test func `reports a body that is too large or was read before`() async throws {
        let large = try await load(.json(["id": 1, "login": "octocat"]))
        let error = await #expect(throws: ResponseError.self) { try await large.decode(User.self, upTo: 10) }
        #expect(error?.code == .incompleteBody && (error?.underlying as? LoadError)?.code == .tooLarge)

        let read = try await load(.json(["id": 1, "login": "octocat"]))
        _ = try await read.body.collect(upTo: 1000)
        let second = await #expect(throws: ResponseError.self) { try await read.decode(User.self) }
        #expect((second?.underlying as? LoadError)?.code == .invalidRequest)
    }
}
