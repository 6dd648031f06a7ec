import AuthHubPrimitives
import Crypto
import NIOHTTP1
import Testing

@testable import WebAuthentication

/// Sign-ins whose response is in the fragment, which a page of the listener passes on.
struct FragmentPageTests {
    private static let fragment = "access_token=t&token_type=Bearer&state=right"

    @Test func `AR28 the page passes on the fragment, and shows the outcome`() async throws {
        let signIn = try await SignIn(responseMode: .fragment)
        let ticket = try await signIn.ticket()
        async let page = signIn.post(Self.fragment, fields: Self.own(signIn, ticket))
        let received = try await signIn.outcome.get()
        #expect(received.callback.url.reveal() == "\(signIn.redirectURI)#\(Self.fragment)")
        #expect(received.callback.content == .inURL)
        await received.conclude(.signedIn)
        let shown = try await page
        #expect(shown.status == 200 && shown.body.contains("<title>Signed in</title>"))
        #expect(!shown.text.contains("access_token"))
    }

    struct Attack: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method = "POST"
        var target = "/callback"
        var host = "HERE"
        /// The header fields. `HERE` stands for host and port, and `TICKET` for the ticket of a page that was loaded before.
        var fields: String
        var body = "access_token=evil&token_type=Bearer&state=right"
        var status = 403

        static let good = "Content-Type: application/x-www-form-urlencoded\r\nOrigin: http://HERE\r\nX-AuthHub-Fragment-Ticket: TICKET\r\n"
    }

    static let attacks = [
        Attack(
            testDescription: "another page posts, without a ticket",
            fields: "Content-Type: application/x-www-form-urlencoded\r\nOrigin: http://attacker.example\r\n"),
        Attack(
            testDescription: "another page posts with a ticket",
            fields: Attack.good.replacing("http://HERE", with: "http://attacker.example")),
        Attack(
            testDescription: "a page with a hidden origin posts with a ticket", fields: Attack.good.replacing("http://HERE", with: "null")
        ),
        Attack(
            testDescription: "another page of this machine posts", fields: Attack.good.replacing("http://HERE", with: "http://127.0.0.1:1")),
        Attack(testDescription: "the same host over https", fields: Attack.good.replacing("http://HERE", with: "https://HERE")),
        Attack(
            testDescription: "a program posts without an origin",
            fields: "Content-Type: application/x-www-form-urlencoded\r\nX-AuthHub-Fragment-Ticket: TICKET\r\n"),
        Attack(testDescription: "two origins", fields: Attack.good + "Origin: http://HERE\r\n"),
        Attack(testDescription: "two tickets", fields: Attack.good + "X-AuthHub-Fragment-Ticket: TICKET\r\n"),
        Attack(testDescription: "a guessed ticket", fields: Attack.good.replacing("TICKET", with: String(repeating: "A", count: 43))),
        Attack(testDescription: "an empty ticket", fields: Attack.good.replacing("TICKET", with: "")),
        Attack(testDescription: "a request that the browser calls cross-site", fields: Attack.good + "Sec-Fetch-Site: cross-site\r\n"),
        Attack(testDescription: "a request that the browser calls same-site", fields: Attack.good + "Sec-Fetch-Site: same-site\r\n"),
        Attack(
            testDescription: "AR44 a host name that resolves to this address", host: "rebound.example:PORT", fields: Attack.good,
            status: 400),
        Attack(
            testDescription: "AR44 that host name, with its own origin", host: "rebound.example:PORT",
            fields: Attack.good.replacing("http://HERE", with: "http://rebound.example:PORT"), status: 400),
        Attack(
            testDescription: "the other name of this address as origin",
            fields: Attack.good.replacing("http://HERE", with: "http://localhost:PORT")),
        Attack(testDescription: "a response in the query next to it", target: "/callback?code=c", fields: Attack.good),
        Attack(
            testDescription: "AR45 a preflight", method: "OPTIONS", fields: "Origin: http://attacker.example\r\n", body: "", status: 405),
        Attack(testDescription: "AR45 HEAD of the page", method: "HEAD", fields: "", body: "", status: 405),
        Attack(
            testDescription: "AR28 the token in the query", method: "GET", target: "/callback?access_token=t&state=wrong", fields: "",
            body: "", status: 400),
        Attack(
            testDescription: "a media type other than a form's",
            fields: Attack.good.replacing("application/x-www-form-urlencoded", with: "text/plain"),
            status: 415),
        Attack(testDescription: "a fragment over 64 KiB", fields: Attack.good, body: String(repeating: "x", count: 65_537), status: 413),
        Attack(
            testDescription: "a fragment with markup that browsers escape", fields: Attack.good, body: "<b>&state=right x",
            status: 415),
        Attack(
            testDescription: "AR32 a different state", fields: Attack.good, body: "access_token=evil&token_type=Bearer&state=wrong",
            status: 400
        ),
        Attack(
            testDescription: "the page in a frame", method: "GET", fields: "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n",
            body: ""),
        Attack(
            testDescription: "the page requested by a script", method: "GET",
            fields: "Sec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: empty\r\n", body: ""
        ),
        Attack(testDescription: "the page prefetched", method: "GET", fields: "Sec-Purpose: prefetch;prerender\r\n", body: "", status: 503),
    ]

    @Test(arguments: attacks)
    func `no other request can pass on a fragment, and the page still can`(attack: Attack) async throws {
        let signIn = try await SignIn(responseMode: .fragment)
        let here = String(signIn.redirectURI.split(separator: "/")[1])
        let port = here.split(separator: ":")[1]
        let ticket = try await signIn.ticket()
        func filled(_ text: String) -> String {
            text.replacing("HERE", with: here).replacing("PORT", with: port).replacing("TICKET", with: ticket)
        }
        let answer = try await LoopbackClient.send(
            "\(attack.method) \(attack.target) HTTP/1.1\r\nHost: \(filled(attack.host))\r\n\(filled(attack.fields))"
                + "Content-Length: \(attack.body.utf8.count)\r\n\r\n\(attack.body)", to: signIn.redirectURI)
        #expect(answer.status == attack.status)
        #expect(!answer.text.contains("Access-Control") && !answer.text.contains("evil"))

        let fresh = try await signIn.ticket()
        async let page = signIn.post(Self.fragment, fields: Self.own(signIn, fresh))
        let received = try await signIn.outcome.get()
        #expect(received.callback.url.reveal() == "\(signIn.redirectURI)#\(Self.fragment)")
        await received.conclude(.signedIn)
        #expect(try await page.status == 200)
    }

    @Test func `a ticket is valid once, even if what came with it was not the callback`() async throws {
        let signIn = try await SignIn(responseMode: .fragment)
        let ticket = try await signIn.ticket()
        #expect(try await signIn.post("access_token=t&state=wrong", fields: Self.own(signIn, ticket)).status == 400)
        #expect(try await signIn.post(Self.fragment, fields: Self.own(signIn, ticket)).status == 403)
        signIn.cancel()
        #expect(await signIn.outcome.code == .unexpectedCallback)
    }

    @Test func `the first of two windows wins, and the second is told that the sign-in is over`() async throws {
        let signIn = try await SignIn(responseMode: .fragment)
        let (first, second) = (try await signIn.ticket(), try await signIn.ticket())
        #expect(first != second)
        async let page = signIn.post(Self.fragment, fields: Self.own(signIn, first))
        let received = try await signIn.outcome.get()
        let late = try await signIn.post("access_token=other&token_type=Bearer&state=right", fields: Self.own(signIn, second))
        #expect(late.status == 400 && late.body.contains("This sign-in is over"))
        let third = try await signIn.get("/callback")
        #expect(third.status == 400 && !third.body.contains("ticket"))
        await received.conclude(.signedIn)
        #expect(try await page.status == 200)
    }

    @Test func `endless page loads do not keep the last page from passing on its fragment`() async throws {
        let signIn = try await SignIn(responseMode: .fragment)
        let oldest = try await signIn.ticket()
        for _ in 0..<FragmentTickets.limit { _ = try await signIn.ticket() }
        #expect(try await signIn.post(Self.fragment, fields: Self.own(signIn, oldest)).status == 403)
        async let page = signIn.post(Self.fragment, fields: Self.own(signIn, try await signIn.ticket()))
        try await signIn.outcome.get().conclude(.signedIn)
        #expect(try await page.status == 200)
    }

    @Test(arguments: [CallbackResponseMode.query, .form])
    func `AR28 a sign-in that expects no fragment shows no such page, and accepts none`(responseMode: CallbackResponseMode) async throws {
        let signIn = try await SignIn(responseMode: responseMode)
        let page = try await signIn.get("/callback")
        #expect(!page.body.contains("ticket") && page.status == (responseMode == .form ? 405 : 400))
        let posted = try await signIn.post("access_token=t", fields: Self.own(signIn, "x"))
        #expect(posted.status == (responseMode == .form ? 400 : 405))
        signIn.cancel()
        #expect(await signIn.outcome.code == .unexpectedCallback)
    }

    @Test func `AR59 the page stores, loads and forwards nothing, and cannot be framed`() throws {
        let page = FragmentPage(ticket: Secret("one-time"))
        let headers = page.headers
        #expect(headers.first(name: "Cache-Control") == "no-store")
        #expect(headers.first(name: "Referrer-Policy") == "no-referrer")
        #expect(headers.first(name: "X-Frame-Options") == "DENY")
        #expect(headers.first(name: "Cross-Origin-Opener-Policy") == "same-origin")
        let policy = try #require(headers.first(name: "Content-Security-Policy"))
        #expect(policy.hasPrefix("default-src 'none'; ") && policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"))
        #expect(!page.html.contains("http:") && !page.html.contains("https:") && !page.html.contains("src="))
        #expect(page.html.contains("<noscript><p>") && page.html.contains("paste it into the program"))
        #expect(!page.html.contains("innerHTML") && !page.html.contains("document.write") && !page.html.contains("eval"))
        var printed = "\(page)"
        dump(page, to: &printed)
        #expect(!printed.contains("one-time"))
    }

    @Test(arguments: [(ResultPage.style, "style-src"), (FragmentPage.script, "script-src")])
    func `the policy allows exactly the style and the script of the page`(source: String, directive: String) {
        let digits = Base64URL.encode(SHA256.hash(data: Array(source.utf8)))
        let hash = String(digits.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }) + "="
        #expect(FragmentPage.contentSecurityPolicy.contains("\(directive) 'sha256-\(hash)'"))
        #expect(FragmentPage(ticket: Secret("t")).html.contains(">\(source)</"))
        #expect(FragmentPage.script.contains("\"\(FragmentPage.ticketField)\""))
    }

    private static func own(_ signIn: SignIn, _ ticket: String) -> String {
        "Origin: \(signIn.origin)\r\nSec-Fetch-Site: same-origin\r\n\(FragmentPage.ticketField): \(ticket)\r\n"
    }
}
