import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing

struct AuthorizeLoaderTests {
    /// Numbered credentials for one origin.
    private final class Numbers: Authorizer {
        let origin = Origin(scheme: "https", host: "api.example.com", port: 443)
        let replacements: [Int?]
        let refused = Mutex<[Int]>([])

        init(replacements: [Int?] = []) {
            self.replacements = replacements
        }

        func covers(_ origin: Origin, options: RequestOptions) -> Bool { origin == self.origin }
        func credential(for request: LoadRequest) async throws(LoadError) -> Int { 1 }

        func apply(_ credential: Int, to head: inout HTTPRequest) throws(LoadError) {
            head.headerFields[.authorization] = "Number \(credential)"
        }

        func replacement(for credential: Int, refusedBy response: HTTPResponse, request: LoadRequest) async throws(LoadError) -> Int? {
            let count = refused.withLock { refused in
                refused.append(credential)
                return refused.count
            }
            #expect(request.head.headerFields[.authorization] == nil, "the request is the one before it was equipped")
            return count <= replacements.count ? replacements[count - 1] : nil
        }
    }

    @Test func `a request to a covered origin carries the credential`() async throws {
        let (response, transport) = try await load(.get("https://api.example.com/a"), with: Numbers(), answers: [.ok])
        #expect(response.status == .ok && response.notes.replays == 0)
        #expect(transport.authorizations == ["Number 1"])
    }

    @Test(arguments: [
        "https://example.com/", "https://api.example.com.evil.example/", "https://api.example.com:8443/", "http://api.example.com/",
        "https://www.api.example.com/", "https://api.example.com./", "/path-alone",
    ])
    func `a foreign origin gets no credential, and its refusal is handed on`(url: String) async throws {
        let authorizer = Numbers(replacements: [2])
        let (response, transport) = try await load(.get(url), with: authorizer, answers: [.unauthorized])
        #expect(response.status == .unauthorized)
        #expect(transport.authorizations == [nil])
        #expect(authorizer.refused.withLock { $0 }.isEmpty)
    }

    @Test func `a request with an authorization of its own keeps it, and its refusal is its own`() async throws {
        let authorizer = Numbers(replacements: [2])
        let request = try LoadRequest.get("https://api.example.com/", headers: [.authorization: "own"])
        let (response, transport) = try await load(request, with: authorizer, answers: [.unauthorized])
        #expect(response.status == .unauthorized)
        #expect(transport.authorizations == ["own"])
        #expect(authorizer.refused.withLock { $0 }.isEmpty)
    }

    @Test func `a refusal is answered once with another credential`() async throws {
        let authorizer = Numbers(replacements: [2, 3])
        let request = try LoadRequest.post("https://api.example.com/", body: .bytes([1, 2]))
        let (response, transport) = try await load(request, with: authorizer, answers: [.unauthorized, .ok])
        #expect(response.status == .ok && response.notes.replays == 1)
        #expect(transport.authorizations == ["Number 1", "Number 2"])
        #expect(transport.requests.map(\.id) == [request.id, request.id])
        #expect(transport.requests[1].body.bytes == [1, 2])
    }

    @Test func `a second refusal is handed on, without asking again`() async throws {
        let authorizer = Numbers(replacements: [2, 3])
        let (response, transport) = try await load(
            .get("https://api.example.com/"), with: authorizer, answers: [.unauthorized, .unauthorized])
        #expect(response.status == .unauthorized && response.notes.replays == 1)
        #expect(transport.authorizations == ["Number 1", "Number 2"])
        #expect(authorizer.refused.withLock { $0 } == [1])
    }

    @Test(arguments: [HTTPResponse.Status.forbidden, .proxyAuthenticationRequired, .badRequest, .internalServerError])
    func `only status 401 is a refusal`(status: HTTPResponse.Status) async throws {
        let authorizer = Numbers(replacements: [2])
        let (response, _) = try await load(.get("https://api.example.com/"), with: authorizer, answers: [status])
        #expect(response.status == status)
        #expect(authorizer.refused.withLock { $0 }.isEmpty)
    }

    @Test func `a refusal without another credential is handed on, its body unread`() async throws {
        let (response, _) = try await load(.get("https://api.example.com/"), with: Numbers(replacements: [nil]), answers: [.unauthorized])
        #expect(response.notes.replays == 0)
        #expect(try await response.body.collect(upTo: 100) == Array("401".utf8))
    }

    @Test func `each hop of a redirect is judged anew`() async throws {
        let transport = ScriptedTransport([
            .init(.get("https://api.example.com/"), .redirect(.found, to: "https://evil.example/")),
            .init(.get("https://evil.example/"), .redirect(.found, to: "https://api.example.com/back")),
            .init(.get("https://api.example.com/back"), .status(.ok)),
        ])
        let chain = try Chain(transport: transport, [RedirectLoader(), AuthorizeLoader(Numbers())])
        _ = try await chain.load(.get("https://api.example.com/"))
        #expect(transport.authorizations == ["Number 1", nil, "Number 1"])
        try transport.verifyFinished()
    }

    private func load(
        _ request: LoadRequest, with authorizer: Numbers, answers: [HTTPResponse.Status]
    ) async throws -> (LoadResponse, ScriptedTransport) {
        let transport = ScriptedTransport(answers.map { .init(.any, .status($0, body: Array("\($0.code)".utf8))) })
        let response = try await Chain(transport: transport, [AuthorizeLoader(authorizer)]).load(request)
        try transport.verifyFinished()
        return (response, transport)
    }
}

extension ScriptedTransport {
    fileprivate var authorizations: [String?] {
        requests.map { $0.head.headerFields[.authorization] }
    }
}
