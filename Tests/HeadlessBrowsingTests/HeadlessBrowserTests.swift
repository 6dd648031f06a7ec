@testable import HeadlessBrowsing
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import Synchronization
import Testing
import WebAuthentication

struct HeadlessBrowserTests {
    /// A site that responds according to the path, and records the requests.
    private final class Site: Transport {
        private let pages: [String: @Sendable () -> LoadResponse]
        private let asked = Mutex<[String]>([])

        init(_ pages: [String: @Sendable () -> LoadResponse]) {
            self.pages = pages
        }

        var requests: [String] { asked.withLock { $0 } }

        func send(_ request: LoadRequest) async throws(LoadError) -> LoadResponse {
            let target = "\(request.head.scheme ?? "")://\(request.head.authority ?? "")\(request.head.path ?? "")"
            asked.withLock { $0.append("\(request.head.method.rawValue) \(target)") }
            guard let page = pages[target] else { throw LoadError(.cannotConnect, for: request) }
            return page()
        }
    }

    private func page(_ html: String) -> @Sendable () -> LoadResponse {
        { LoadResponse(HTTPResponse(status: .ok), body: .bytes(Array(html.utf8))) }
    }

    private func redirect(to location: String) -> @Sendable () -> LoadResponse {
        { LoadResponse(HTTPResponse(status: .found, headerFields: [.location: location])) }
    }

    private func browser(_ site: Site) -> HeadlessBrowser {
        HeadlessBrowser(filling: FormFilling(user: "octocat", password: Secret("secret"), refuses: false), transport: site)
    }

    private static let start = "http://127.0.0.1:8000/authorize?redirect_uri=http%3A%2F%2F127.0.0.1%3A9000%2Fcallback"
    private static let signInForm = "<form method=post action=/in><input name=user><input type=password name=p></form>"

    @Test func `signs in, follows the redirects, and stops at the redirect URI`() async throws {
        let site = Site([
            Self.start: page(Self.signInForm), "http://127.0.0.1:8000/in": redirect(to: "/consent"),
            "http://127.0.0.1:8000/consent": redirect(to: "http://127.0.0.1:9000/callback?code=c"),
            "http://127.0.0.1:9000/callback?code=c": page("done"),
        ])
        try await browser(site).open(Self.start)
        #expect(
            site.requests == [
                "GET \(Self.start)", "POST http://127.0.0.1:8000/in", "GET http://127.0.0.1:8000/consent",
                "GET http://127.0.0.1:9000/callback?code=c",
            ])
    }

    @Test func `starts at a URL that redirects to the page`() async throws {
        let start = "http://127.0.0.1:9000/start/ticket"
        let site = Site([
            start: redirect(to: Self.start), Self.start: page(Self.signInForm),
            "http://127.0.0.1:8000/in": redirect(to: "http://127.0.0.1:9000/callback?code=c"),
            "http://127.0.0.1:9000/callback?code=c": page("done"),
        ])
        try await browser(site).open(start)
        #expect(site.requests.prefix(2) == ["GET \(start)", "GET \(Self.start)"])
        #expect(site.requests.last == "GET http://127.0.0.1:9000/callback?code=c")
    }

    @Test func `visits a page, submits its form, and loads the frames of the page that follows`() async throws {
        let start = "http://127.0.0.1:8000/logout"
        let frames = "<iframe src='http://127.0.0.1:9000/front?a=1&amp;b=2'></iframe><iframe src='https://as.example/'></iframe><iframe>"
        let site = Site([
            start: page("<form method=post action=/confirm><button>Sign out</button></form>"),
            "http://127.0.0.1:8000/confirm": page("\(frames)<meta http-equiv=refresh content='2;url=/done'>"),
            "http://127.0.0.1:9000/front?a=1&b=2": page("signed out"), "http://127.0.0.1:8000/done": page("done"),
        ])
        try await browser(site).visit(start)
        #expect(
            site.requests == [
                "GET \(start)", "POST http://127.0.0.1:8000/confirm", "GET http://127.0.0.1:9000/front?a=1&b=2",
                "GET http://127.0.0.1:8000/done",
            ])
    }

    @Test(arguments: ["https://as.example/", "http://127.0.0.1:9000/other"])
    func `starts at no URL that does not lead to a page of this machine`(target: String) async throws {
        let start = "http://127.0.0.1:9000/start/ticket"
        let site = Site([start: redirect(to: target)])
        let error = await #expect(throws: WebAuthenticationError.self) { try await browser(site).open(start) }
        #expect(error?.code == .cannotShow)
        #expect(site.requests == ["GET \(start)"])
    }

    @Test func `never leaves this machine, whatever the request`() async throws {
        for target in ["https://login.example.com/in", "http://127.0.0.1.example.com/in"] {
            let site = Site([Self.start: page("<form method=post action='\(target)'><input type=password name=p></form>")])
            let error = await #expect(throws: WebAuthenticationError.self) { try await browser(site).open(Self.start) }
            #expect(error?.explanation?.contains("only signs in at servers on this machine") == true)
            #expect(site.requests == ["GET \(Self.start)"])
        }
    }

    struct Trouble: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let html: String
        let says: String
    }

    @Test(arguments: [
        Trouble(testDescription: "an error page", html: "<h1>Unknown client</h1>", says: "Unknown client"),
        Trouble(
            testDescription: "the sign-in form again", html: "<h1>Sign in</h1><p role=alert>No such user</p>\(signInForm)",
            says: "the user name or the password; its page says “No such user”"),
        Trouble(testDescription: "a redirect loop", html: "<meta http-equiv=refresh content='0;url=/in'>", says: "30 pages"),
    ])
    func `a page that leads no further ends the attempt with its text`(row: Trouble) async throws {
        let site = Site([Self.start: page(Self.signInForm), "http://127.0.0.1:8000/in": page(row.html)])
        let error = await #expect(throws: WebAuthenticationError.self) { try await browser(site).open(Self.start) }
        #expect(error?.code == .cannotShow)
        #expect(error?.explanation?.contains(row.says) == true, "\(error?.explanation ?? "")")
    }
}
