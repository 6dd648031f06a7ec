import AuthHubPrimitives
import Crypto
import NIOHTTP1
import Testing

@testable import WebAuthentication

struct ResultPageTests {
    static let pages: [ResultPage] = [
        ResultPage(.signedIn), ResultPage(.failed("It did not work.")), .undecided, .notExpected, .ended, .notFound, .methodNotAllowed,
        .foreignHost, .targetTooLong, .headersTooLong, .notPrefetched, .malformed, .onlyPosted, .notAForm,
        .formNotRead, .bodyTooLong, .notFromHere, .notAPage,
    ]

    @Test(arguments: [
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        (#""a" & 'b'"#, "&quot;a&quot; &amp; &#39;b&#39;"),
        ("\u{1B}[31mred\u{202E}der", "\u{FFFD}[31mred\u{FFFD}der"),
        ("two\nlines", "two lines"),
        ("Grüße ✓", "Grüße ✓"),
    ])
    func `AR12 shows the reason as text, whatever it contains`(reason: String, shown: String) {
        #expect(ResultPage(.failed(reason)).html.contains("<p>\(shown)</p>"))
    }

    @Test func `truncates an endless reason`() {
        let page = ResultPage(.failed(String(repeating: "x", count: 1_000_000)))
        #expect(page.html.utf8.count < 10_000)
    }

    @Test(arguments: pages)
    func `AR59 every page stores, loads and forwards nothing`(page: ResultPage) throws {
        let headers = page.headers
        #expect(headers.first(name: "Cache-Control") == "no-store")
        #expect(headers.first(name: "Referrer-Policy") == "no-referrer")
        #expect(headers.first(name: "X-Content-Type-Options") == "nosniff")
        #expect(headers.first(name: "Connection") == "close")
        #expect(headers.first(name: "Content-Security-Policy")?.hasPrefix("default-src 'none'; ") == true)
        #expect(page.html.contains("<html lang=\"en\">"))
        #expect(!page.html.contains("http:") && !page.html.contains("https:") && !page.html.contains("src="))
    }

    @Test(arguments: [(ResultPage.style, "style-src"), (ResultPage.script, "script-src")])
    func `the policy allows exactly the style and the script of the page`(source: String, directive: String) {
        let digits = Base64URL.encode(SHA256.hash(data: Array(source.utf8)))
        let hash = String(digits.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }) + "="
        #expect(ResultPage.contentSecurityPolicy.contains("\(directive) 'sha256-\(hash)'"))
        #expect(ResultPage(.signedIn).html.contains(">\(source)</"))
    }

    @Test func `AR59 no page repeats anything from the callback`() async throws {
        let signIn = try await SignIn()
        let stray = try await signIn.get("/callback?code=canary-code&state=canary-state&error_description=canary-text")
        #expect(!stray.text.contains("canary"))
        async let page = signIn.get("/callback?code=canary-code&state=right")
        try await signIn.outcome.get().conclude(.signedIn)
        let shown = try await page
        #expect(!shown.text.contains("canary") && !shown.text.contains("right"))
        #expect(shown.body.contains("history.replaceState"))
    }
}
