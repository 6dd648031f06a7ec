import AuthHubPrimitives
import Testing

@testable import WebAuthentication

struct PausedRequestTests {
    @Test(arguments: [
        (CallbackMethod.https(host: "App.example.com", path: "/callback"), "https://app.example.com/callback*"),
        (.https(host: "app.example.com", path: "/a*b/"), "https://app.example.com/a\\*b/*"),
    ])
    func `the pattern matches every callback, whatever its path`(_ method: CallbackMethod, pattern: String) throws {
        #expect(try CallbackAddress(method).devToolsPattern == pattern)
    }

    @Test(arguments: [
        "https://app.example.com/callback?a=b c", "https://app.example.com/callback?ä", "https://app.example.com:443/callback",
        "https://app.example.com/callback#odd", "https://app.example.com/callback?" + String(repeating: "x", count: 70_000),
    ])
    func `lets no request to the redirect URI through`(_ url: String) throws {
        let address = try CallbackAddress(.https(host: "app.example.com", path: "/callback"))
        for kind in ["Document", "XHR"] {
            for method in ["GET", "POST"] {
                let parameters: JSONValue = [
                    "requestId": "1", "frameId": "P", "resourceType": .string(kind),
                    "request": ["url": .string(url), "method": .string(method)],
                ]
                let request = try #require(PausedRequest(parameters))
                for isPage in [true, false] {
                    if case .pass = request.verdict(address, isPage: isPage) { Issue.record("\(kind) by \(method) went on") }
                }
            }
        }
    }

    struct Posted: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var responseMode = CallbackResponseMode.form
        var method = "POST"
        var type: String? = "application/x-www-form-urlencoded"
        var body: JSONValue = ["postData": "code=c&state=s"]
        /// The page that is shown instead; nil if the form is accepted.
        let refusal: ResultPage?
    }

    static let posts = [
        Posted(testDescription: "a form, as a string", refusal: nil),
        Posted(
            testDescription: "a form, as bytes in pieces", body: ["postDataEntries": [["bytes": "Y29kZT1j"], ["bytes": "JnN0YXRlPXM="]]],
            refusal: nil),
        Posted(testDescription: "AR41 GET", method: "GET", refusal: .onlyPosted),
        Posted(testDescription: "AR41 another type", type: "text/plain", refusal: .notAForm),
        Posted(testDescription: "AR41 no type", type: nil, refusal: .notAForm),
        Posted(testDescription: "a body that the browser does not report", body: ["hasPostData": true], refusal: .formNotRead),
        Posted(
            testDescription: "a body that the browser reports in part", body: ["postDataEntries": [["bytes": "Y29kZT1j"], [:]]],
            refusal: .formNotRead
        ),
        Posted(
            testDescription: "AR41 a body over 64 KiB", body: ["postData": .string(String(repeating: "x", count: 65_537))],
            refusal: .bodyTooLong),
        Posted(testDescription: "AR28 a form if the query is expected", responseMode: .query, refusal: .methodNotAllowed),
        Posted(testDescription: "AR28 a form if the fragment is expected", responseMode: .fragment, refusal: .methodNotAllowed),
    ]

    @Test(arguments: posts) func `accepts a form if one is expected`(post: Posted) throws {
        let address = try CallbackAddress(.https(host: "app.example.com", path: "/callback"))
        var request = try #require(post.body.object)
        request["url"] = "https://app.example.com/callback"
        request["method"] = .string(post.method)
        request["headers"] = post.type.map { ["Content-Type": .string($0)] } ?? [:]
        let paused = try #require(
            PausedRequest(["requestId": "1", "frameId": "P", "resourceType": "Document", "request": .object(request)]))
        switch paused.verdict(address, post.responseMode, isPage: true) {
        case .refuse(let page): #expect(page == post.refusal)
        case .callback(let callback): #expect(post.refusal == nil && callback.content == .form(Secret("code=c&state=s")))
        case .pass, .block: Issue.record("neither taken nor refused")
        }
    }

    @Test(arguments: [CallbackResponseMode.query, .fragment])
    func `returns a fragment unchanged`(responseMode: CallbackResponseMode) throws {
        let address = try CallbackAddress(.https(host: "app.example.com", path: "/callback"))
        let request: JSONValue = ["url": "https://app.example.com/callback", "urlFragment": "#access_token=a%2Bb", "method": "GET"]
        let paused = try #require(PausedRequest(["requestId": "1", "frameId": "P", "resourceType": "Document", "request": request]))
        guard case .callback(let callback) = paused.verdict(address, responseMode, isPage: true) else {
            Issue.record("not taken")
            return
        }
        #expect(callback.url.reveal() == "https://app.example.com/callback#access_token=a%2Bb")
    }
}
