import AuthHubPrimitives
import AuthHubTesting
import HTTPTypes
import Synchronization
import Testing

@testable import HTTPLoading

struct AuthorizeLoaderTests {
    /// An authorizer with numbered credentials for one origin.
    private final class Numbers: Authorizer {
        let origin = Origin(scheme: "https", host: "api.example.com", port: 443)
        let replacements: [Int?]
        let last: Int?
        let refused = Mutex<[Int]>([])

        init(replacements: [Int?] = [], last: Int? = nil) {
            self.replacements = replacements
            self.last = last
        }

        func covers(_ origin: Origin, path: String, options: RequestOptions) -> Bool { origin == self.origin }
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

        func lastReplacement(for credential: Int, refusedBy response: HTTPResponse, request: LoadRequest) async throws(LoadError) -> Int? {
            refused.withLock { $0.append(-credential) }
            return last
        }
    }

    @Test(
        arguments: [
            (["https://evil.example/x"], [nil, nil]), (["http://api.example.com/x"], [nil, nil]),
            (["https://evil.example/x", "https://api.example.com/y"], [nil, nil, nil]),
            (["https://api.example.com/x"], ["Number 1", "Number 1"]),
            (["https://api.example.com/x", "https://evil.example/y"], ["Number 1", nil, nil]),
        ] as [([String], [String?])])
    func `RS20: a server that gets no credential cannot choose an authenticated request`(
        hops: [String], authorizations: [String?]
    ) async throws {
        let targets = hops.dropFirst() + ["https://api.example.com/account"]
        let answers: [ScriptedAnswer] = targets.map { .redirect(.temporaryRedirect, to: $0) } + [.status(.ok)]
        let urls = hops + ["https://api.example.com/account"]
        let transport = ScriptedTransport(
            zip(urls, answers).map { .init(.init(.delete, "/" + $0.split(separator: "/")[2...].joined()), $1) })
        let chain = try Chain(transport: transport, [RedirectLoader(), AuthorizeLoader(Numbers())])
        let response = try await chain.load(try LoadRequest(.delete, hops[0]))
        #expect(transport.authorizations == authorizations)
        #expect(response.notes.isCredentialWithheld == (authorizations.last == .some(nil)))
    }

    @Test func `adds the credential to a request to a covered origin`() async throws {
        let (response, transport) = try await load(.get("https://api.example.com/a"), with: Numbers(), answers: [.ok])
        #expect(response.status == .ok && response.notes.replays == 0)
        #expect(transport.authorizations == ["Number 1"])
    }

    @Test(arguments: [
        "https://example.com/", "https://api.example.com.evil.example/", "https://api.example.com:8443/", "http://api.example.com/",
        "https://www.api.example.com/", "https://api.example.com./", "/path-alone",
    ])
    func `a foreign origin gets no credential, and its 401 is returned`(url: String) async throws {
        let authorizer = Numbers(replacements: [2])
        let (response, transport) = try await load(.get(url), with: authorizer, answers: [.unauthorized])
        #expect(response.status == .unauthorized && response.notes.isCredentialWithheld && !response.notes.isAuthorized)
        #expect(transport.authorizations == [nil])
        #expect(authorizer.refused.withLock { $0 }.isEmpty)
    }

    @Test func `a request with its own authorization keeps it, and its 401 is returned`() async throws {
        let authorizer = Numbers(replacements: [2])
        let request = try LoadRequest.get("https://api.example.com/", headers: [.authorization: "own"])
        let (response, transport) = try await load(request, with: authorizer, answers: [.unauthorized])
        #expect(response.status == .unauthorized && !response.notes.isCredentialWithheld)
        #expect(transport.authorizations == ["own"])
        #expect(authorizer.refused.withLock { $0 }.isEmpty)
    }

    @Test func `replays a rejected request once with another credential`() async throws {
        let authorizer = Numbers(replacements: [2, 3])
        let request = try LoadRequest.post("https://api.example.com/", body: .bytes([1, 2]))
        let (response, transport) = try await load(request, with: authorizer, answers: [.unauthorized, .ok])
        #expect(response.status == .ok && response.notes.replays == 1)
        #expect(transport.authorizations == ["Number 1", "Number 2"])
        #expect(transport.requests.map(\.id) == [request.id, request.id])
        #expect(transport.requests[1].body.bytes == [1, 2])
    }

    struct FormRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method = HTTPRequest.Method.post
        var body = RequestBody.empty
        let credential: String
        var code = LoadError.Code.invalidRequest
    }

    @Test(arguments: [
        FormRow(testDescription: "a redirected POST, now a GET", method: .get, credential: "Bearer a", code: .redirectRefused),
        FormRow(testDescription: "a request with a body", body: .bytes([1]), credential: "Bearer a"),
        FormRow(testDescription: "a credential that is not a bearer token", credential: "Basic a"),
    ])
    func `sends no request if the credential cannot be in a form`(row: FormRow) async throws {
        let transport = ScriptedTransport([])
        let authorizer = BearerAuthorizer(credential: row.credential)
        let chain = try Chain(transport: transport, [AuthorizeLoader(authorizer)])
        var request = try LoadRequest(row.method, "https://api.example.com/", body: row.body)
        request.options[CredentialPlace.self] = .form
        let error = await #expect(throws: LoadError.self) { try await chain.load(request) }
        #expect(error?.code == row.code && transport.requests.isEmpty)
    }

    @Test func `a bearer token can be in a form, and is removed from what the server repeats`() async throws {
        let transport = ScriptedTransport([.init(.any, .status(.forbidden))])
        let chain = try Chain(transport: transport, [AuthorizeLoader(BearerAuthorizer(credential: "Bearer a+b"))])
        var request = try LoadRequest(.post, "https://api.example.com/")
        request.options[CredentialPlace.self] = .form
        let response = try await chain.load(request)
        #expect(response.sentCredential == "Bearer a+b")
        let sent = try #require(transport.requests.first)
        #expect(sent.head.headerFields[.authorization] == nil)
        #expect(sent.body.bytes.map { String(decoding: $0, as: UTF8.self) } == "access_token=a%2Bb")
    }

    private struct BearerAuthorizer: Authorizer {
        let credential: String
        func covers(_ origin: Origin, path: String, options: RequestOptions) -> Bool { true }
        func credential(for request: LoadRequest) async throws(LoadError) -> String { credential }
        func apply(_ credential: String, to head: inout HTTPRequest) throws(LoadError) {
            head.headerFields[.authorization] = credential
        }
        func replacement(
            for credential: String, refusedBy response: HTTPResponse, request: LoadRequest
        ) async throws(LoadError) -> String? { nil }
    }

    @Test func `case 6: returns a second 401 if there is no other credential for it`() async throws {
        let authorizer = Numbers(replacements: [2, 3])
        let (response, transport) = try await load(
            .get("https://api.example.com/"), with: authorizer, answers: [.unauthorized, .unauthorized])
        #expect(response.status == .unauthorized && response.notes.replays == 1)
        #expect(transport.authorizations == ["Number 1", "Number 2"])
        #expect(authorizer.refused.withLock { $0 } == [1, -2])
    }

    @Test func `case 6: replays once more after a second 401 if there is another credential for it, and returns a third`() async throws {
        let authorizer = Numbers(replacements: [2, 3], last: 9)
        let (response, transport) = try await load(
            .get("https://api.example.com/"), with: authorizer, answers: [.unauthorized, .unauthorized, .unauthorized])
        #expect(response.status == .unauthorized && response.notes.replays == 2)
        #expect(transport.authorizations == ["Number 1", "Number 2", "Number 9"])
        #expect(authorizer.refused.withLock { $0 } == [1, -2])
    }

    @Test func `a response says whether its request carried a credential`() async throws {
        for (url, isAuthorized) in [("https://api.example.com/", true), ("https://example.com/", false)] {
            let (response, _) = try await load(.get(url), with: Numbers(), answers: [.forbidden])
            #expect(response.notes.isAuthorized == isAuthorized && response.notes.isCredentialWithheld == !isAuthorized)
        }
    }

    @Test(arguments: [HTTPResponse.Status.forbidden, .proxyAuthenticationRequired, .badRequest, .internalServerError])
    func `only status 401 counts as a rejection`(status: HTTPResponse.Status) async throws {
        let authorizer = Numbers(replacements: [2])
        let (response, _) = try await load(.get("https://api.example.com/"), with: authorizer, answers: [status])
        #expect(response.status == status)
        #expect(authorizer.refused.withLock { $0 }.isEmpty)
    }

    @Test func `case 7: returns a 401 without another credential, its body unread`() async throws {
        let (response, _) = try await load(.get("https://api.example.com/"), with: Numbers(replacements: [nil]), answers: [.unauthorized])
        #expect(response.notes.replays == 0)
        #expect(try await response.body.collect(upTo: 100) == Array("401".utf8))
    }

    @Test func `checks each hop of a redirect again`() async throws {
        let transport = ScriptedTransport([
            .init(.get("https://api.example.com/"), .redirect(.found, to: "https://evil.example/")),
            .init(.get("https://evil.example/"), .redirect(.found, to: "https://api.example.com/back")),
            .init(.get("https://api.example.com/back"), .status(.ok)),
        ])
        let chain = try Chain(transport: transport, [RedirectLoader(), AuthorizeLoader(Numbers())])
        _ = try await chain.load(.get("https://api.example.com/"))
        #expect(transport.authorizations == ["Number 1", nil, nil])
        try transport.verifyFinished()
    }

    struct HopRow: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let foreign: String
        var isCovered = false
    }

    @Test(arguments: [
        HopRow(testDescription: "case 28: another host", foreign: "https://evil.example/"),
        HopRow(testDescription: "case 28: another port", foreign: "https://api.example.com:8443/"),
        HopRow(testDescription: "case 28: a sub-domain", foreign: "https://a.api.example.com/"),
        HopRow(testDescription: "case 28: the domain above", foreign: "https://example.com/"),
        HopRow(testDescription: "case 28: a name with the same beginning", foreign: "https://api.example.com.evil.example/"),
        HopRow(testDescription: "case 28: a trailing dot", foreign: "https://api.example.com./"),
        HopRow(
            testDescription: "case 28: the same in upper case, with an explicit port", foreign: "https://API.Example.com:443/",
            isCovered: true
        ),
    ])
    func `sends a credential to no other origin in a redirect, and to none after it`(row: HopRow) async throws {
        let transport = ScriptedTransport([
            .init(.any, .redirect(.temporaryRedirect, to: row.foreign)),
            .init(.any, .redirect(.temporaryRedirect, to: row.foreign + "again")),
            .init(.any, .redirect(.temporaryRedirect, to: "https://api.example.com/back")),
            .init(.any, .status(.ok)),
        ])
        let chain = try Chain(transport: transport, [RedirectLoader(), AuthorizeLoader(Numbers())])
        _ = try await chain.load(.get("https://api.example.com/"))
        let expected = row.isCovered ? "Number 1" : nil
        #expect(transport.authorizations == ["Number 1", expected, expected, expected])
    }

    @Test func `case 28: does not follow a redirect from https to http`() async throws {
        let transport = ScriptedTransport([.init(.any, .redirect(.temporaryRedirect, to: "http://api.example.com/"))])
        let chain = try Chain(transport: transport, [RedirectLoader(), AuthorizeLoader(Numbers())])
        let error = await #expect(throws: LoadError.self) { try await chain.load(.get("https://api.example.com/")) }
        #expect(error?.code == .redirectRefused)
        #expect(transport.requests.count == 1)
    }

    @Test func `case 28: a 401 of a foreign origin in a redirect requests no other credential`() async throws {
        let transport = ScriptedTransport([
            .init(.any, .redirect(.temporaryRedirect, to: "https://evil.example/")), .init(.any, .status(.unauthorized)),
        ])
        let authorizer = Numbers(replacements: [2])
        let chain = try Chain(transport: transport, [RedirectLoader(), AuthorizeLoader(authorizer)])
        #expect(try await chain.load(.get("https://api.example.com/")).status == .unauthorized)
        #expect(transport.authorizations == ["Number 1", nil])
        #expect(authorizer.refused.withLock { $0 }.isEmpty)
    }

    @Test func `case 4: a replay passes through all loaders behind again, such as one that signs each attempt`() async throws {
        final class Signer: Loader {
            let count = Mutex(0)
            func load(_ request: LoadRequest, next: Next) async throws(LoadError) -> LoadResponse {
                var signed = request
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                signed.head.headerFields[.from] = "\(number) for \(request.head.headerFields[.authorization] ?? "nobody")"
                return try await next(signed)
            }
        }
        let transport = ScriptedTransport([.init(.any, .status(.unauthorized)), .init(.any, .status(.ok))])
        let chain = try Chain(transport: transport, [AuthorizeLoader(Numbers(replacements: [2])), Signer()])
        _ = try await chain.load(.get("https://api.example.com/"))
        #expect(transport.requests.map { $0.head.headerFields[values: .from] } == [["1 for Number 1"], ["2 for Number 2"]])
    }

    @Test func `case 25: a 401 to a body that can be sent only once refreshes the credential and is returned unchanged`() async throws {
        let transport = ScriptedTransport([
            .init(
                .any,
                ScriptedAnswer { request throws(LoadError) in
                    var sent: [UInt8] = []
                    for try await chunk in try await request.body.open() { sent += chunk }
                    return LoadResponse(HTTPResponse(status: .unauthorized, headerFields: [.wwwAuthenticate: "Bearer"]), body: .bytes(sent))
                })
        ])
        let authorizer = Numbers(replacements: [2])
        let request = try LoadRequest.post("https://api.example.com/", body: .stream(once: .bytes([1, 2, 3])))
        let response = try await Chain(transport: transport, [AuthorizeLoader(authorizer)]).load(request)
        #expect(response.status == .unauthorized && response.notes.replays == 0)
        #expect(response.head.headerFields[.wwwAuthenticate] == "Bearer")
        #expect(try await response.body.collect(upTo: 10) == [1, 2, 3])
        #expect(authorizer.refused.withLock { $0 } == [1])
        try transport.verifyFinished()
    }

    @Test func `case 25: replays a body that is created for each attempt byte for byte`() async throws {
        let bodies = Mutex<[[UInt8]]>([])
        let reading: @Sendable (HTTPResponse.Status) -> ScriptedAnswer = { status in
            ScriptedAnswer { request throws(LoadError) in
                var sent: [UInt8] = []
                for try await chunk in try await request.body.open() { sent += chunk }
                bodies.withLock { [sent] in $0.append(sent) }
                return LoadResponse(HTTPResponse(status: status))
            }
        }
        let transport = ScriptedTransport([.init(.any, reading(.unauthorized)), .init(.any, reading(.ok))])
        let body = RequestBody.stream { () async throws(LoadError) in .bytes([1, 2, 3]) }
        let chain = try Chain(transport: transport, [AuthorizeLoader(Numbers(replacements: [2]))])
        let response = try await chain.load(.post("https://api.example.com/", body: body))
        #expect(response.status == .ok && response.notes.replays == 1)
        #expect(bodies.withLock { $0 } == [[1, 2, 3], [1, 2, 3]])
    }

    @Test func `case 25: sends a body that can be sent only once, and was not read yet, with the other credential`() async throws {
        let transport = ScriptedTransport([.init(.any, .status(.unauthorized)), .init(.any, .status(.ok))])
        let request = try LoadRequest.post("https://api.example.com/", body: .stream(once: .bytes([1, 2, 3])))
        let chain = try Chain(transport: transport, [AuthorizeLoader(Numbers(replacements: [2]))])
        #expect(try await chain.load(request).status == .ok)
        #expect(transport.authorizations == ["Number 1", "Number 2"])
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
