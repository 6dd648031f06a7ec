import AsyncHTTPClientTransport
import AuthHubPrimitives
import AuthHubTesting
import HTTPLoading
import HTTPTypes
import Testing

/// Requests, responses and loaders may be printed, dumped and stored in errors. None of these reveals secret content.
struct DumpTests {
    private let body = RequestBody.bytes([77, 78, 79], contentType: "text/plain")

    /// Returns whether the text contains the first byte as a separate number, because memory addresses and names may contain its digits,
    /// too.
    private func showsBody(_ text: String) -> Bool {
        text.split { !$0.isLetter && !$0.isNumber && $0 != "$" }.contains("77")
    }

    @Test func `a request shows its name, its method and its origin`() throws {
        var request = try LoadRequest.post(
            "https://api.example.com/canary?canary", headers: [.authorization: "canary", .cookie: "canary"], body: body)
        request.options[BasicCredentials.self] = try BasicCredentials(userID: "canary", password: Secret("canary"))
        request.options[IdempotencyKey.self] = IdempotencyKey("canary")
        for text in [
            dumped(request), dumped(FinishedAttempt(request: request, outcome: .success(.init(status: .ok)), number: 1, elapsed: .zero)),
        ] {
            #expect(!text.contains("canary"))
            #expect(!showsBody(text) && !text.contains("MNO"))
            #expect(text.contains("POST") && text.contains("https://api.example.com") && text.contains("\(request.id)"))
        }
    }

    @Test func `a body shows its length and its type`() {
        for body in [body, .multipart([MultipartPart(named: "canary", body: body)])] {
            #expect(!dumped(body).contains("canary"))
            #expect(!showsBody(dumped(body)))
        }
        #expect("\(body)" == "<3 bytes of text/plain>")
        #expect("\(RequestBody.empty)" == "<empty>")
        #expect("\(RequestBody.stream { () async throws(LoadError) in .bytes([]) })" == "<unknown number of bytes>")
        #expect(!dumped(MultipartPart(named: "canary", filename: "canary", body: body)).contains("canary"))
    }

    @Test func `a response shows its status`() {
        let response = LoadResponse(
            HTTPResponse(status: .found, headerFields: [.setCookie: "canary", .location: "/canary"]), body: .bytes([77]))
        #expect(!dumped(response).contains("canary"))
        #expect(!showsBody(dumped(response)))
        #expect(dumped(response).contains("302"))
    }

    @Test func `a transport and its chain show no proxy credentials`() throws {
        var configuration = NetworkTransport.Configuration()
        configuration.proxy = .http(
            host: "proxy.example", port: 3_128, credentials: .init(userID: "canary", password: Secret("canary")))
        let transport = try NetworkTransport(configuration: configuration)
        for text in [dumped(transport), dumped(try Chain(transport: transport))] {
            #expect(!text.contains("canary"))
            #expect(!text.contains("Y2FuYXJ5"))
        }
    }
}
