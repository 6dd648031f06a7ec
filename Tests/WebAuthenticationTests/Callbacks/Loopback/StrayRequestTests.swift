import AuthHubPrimitives
import Testing

@testable import WebAuthentication

/// All other requests to the port get a response, and the sign-in keeps waiting.
struct StrayRequestTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method = "GET"
        var target = "/callback?code=c&state=right"
        /// The host; nil for that of the redirect URI.
        var host: String?
        var fields = ""
        let status: Int
    }

    static let rows = [
        Row(testDescription: "AR01 another path", target: "/callback/?code=c&state=right", status: 404),
        Row(testDescription: "AR01 the path in upper case", target: "/CALLBACK?code=c&state=right", status: 404),
        Row(testDescription: "AR01 an escaped letter in the path", target: "/%63allback?code=c&state=right", status: 404),
        Row(testDescription: "AR01 the path as a prefix", target: "/callbacks?code=c&state=right", status: 404),
        Row(testDescription: "AR02 no state", target: "/callback?code=c", status: 400),
        Row(testDescription: "AR03 a wrong state", target: "/callback?code=c&state=wrong", status: 400),
        Row(testDescription: "AR14 an error without a state", target: "/callback?error=access_denied", status: 400),
        Row(testDescription: "no parameters at all", target: "/callback", status: 400),
        Row(testDescription: "AR41 POST to the callback", method: "POST", fields: "Content-Length: 4\r\n", status: 405),
        Row(testDescription: "AR45 HEAD of the callback", method: "HEAD", status: 405),
        Row(testDescription: "AR45 OPTIONS of the callback", method: "OPTIONS", status: 405),
        Row(testDescription: "AR45 an unknown method", method: "PROPFIND", status: 405),
        Row(testDescription: "AR45 a favicon", target: "/favicon.ico", status: 404),
        Row(testDescription: "AR45 HEAD of the root", method: "HEAD", target: "/", status: 404),
        Row(testDescription: "AR45 a proxy request", target: "http://other.example/callback?state=right", status: 404),
        Row(testDescription: "AR44 a foreign host", host: "attacker.example", status: 400),
        Row(testDescription: "AR44 a foreign host with our port", host: "attacker.example:PORT", status: 400),
        Row(testDescription: "AR44 our host without the port", host: "127.0.0.1", status: 400),
        Row(testDescription: "AR44 our host with another port", host: "127.0.0.1:1", status: 400),
        Row(testDescription: "AR44 a host with the same beginning", host: "127.0.0.1:PORT.attacker.example", status: 400),
        Row(testDescription: "AR44 two hosts", host: "127.0.0.1:PORT\r\nHost: attacker.example", status: 400),
        Row(testDescription: "AR44 an empty host", host: "", status: 400),
        Row(testDescription: "a prefetch", fields: "Sec-Purpose: prefetch;prerender\r\n", status: 503),
        Row(
            testDescription: "AR43 a target over 64 KiB", target: "/callback?code=\(String(repeating: "c", count: 65_537))&state=right",
            status: 414),
        Row(
            testDescription: "AR43 a target of 1 MiB", target: "/callback?code=\(String(repeating: "c", count: 1 << 20))&state=right",
            status: 431),
        Row(
            testDescription: "AR43 over 100 parameters", target: "/callback?\(String(repeating: "a=b&", count: 100))state=right",
            status: 414),
        Row(testDescription: "AR43 header fields over 64 KiB", fields: "Cookie: \(String(repeating: "c", count: 65_537))\r\n", status: 431),
        Row(testDescription: "AR43 header fields of 1 MiB", fields: "Cookie: \(String(repeating: "c", count: 1 << 20))\r\n", status: 431),
        Row(testDescription: "AR43 a thousand header fields", fields: String(repeating: "X-Field: x\r\n", count: 1000), status: 431),
    ]

    @Test(arguments: rows)
    func `rejects a stray request, and the right callback still arrives`(row: Row) async throws {
        let signIn = try await SignIn()
        let authority = signIn.redirectURI.split(separator: "/")[1]
        let port = authority.split(separator: ":")[1]
        let host = row.host.map { host in
            String(host.split(separator: "PORT", omittingEmptySubsequences: false).joined(separator: port))
        }
        let stray = try await LoopbackClient.send(
            "\(row.method) \(row.target) HTTP/1.1\r\nHost: \(host ?? String(authority))\r\n\(row.fields)\r\n", to: signIn.redirectURI)
        #expect(stray.status == row.status)
        #expect(stray["Connection"] == "close")
        #expect(stray["Cache-Control"] == "no-store")
        #expect(stray.body.isEmpty == (row.method == "HEAD"))

        async let page = signIn.get("/callback?code=c&state=right")
        let received = try await signIn.outcome.get()
        #expect(received.callback.url.reveal() == "\(signIn.redirectURI)?code=c&state=right")
        await received.conclude(.signedIn)
        #expect(try await page.status == 200)
    }

    @Test(arguments: [
        "no HTTP at all\r\n\r\n", "GET /callback HTTP/9.9\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}", "GET /callback?state=right\r\n\r\n",
    ])
    func `responds with 400 to anything that is not HTTP`(bytes: String) async throws {
        let signIn = try await SignIn()
        #expect(try await LoopbackClient.send(bytes, to: signIn.redirectURI).status == 400)
        signIn.cancel()
        #expect(await signIn.outcome.code == .cancelledByProgram)
    }

    @Test(arguments: ["127.0.0.1", "localhost", "LocalHost"])
    func `AR44 the port responds to both of its names`(name: String) async throws {
        let signIn = try await SignIn()
        let port = signIn.redirectURI.split(separator: "/")[1].split(separator: ":")[1]
        async let page = LoopbackClient.send(
            "GET /callback?code=c&state=right HTTP/1.1\r\nHost: \(name):\(port)\r\n\r\n", to: signIn.redirectURI)
        let received = try await signIn.outcome.get()
        #expect(received.callback.url.reveal() == "\(signIn.redirectURI)?code=c&state=right")
        await received.conclude(.signedIn)
        #expect(try await page.status == 200)
    }

    @Test func `AR45 two hundred concurrent stray requests do not keep the right one out`() async throws {
        let signIn = try await SignIn()
        let targets = ["/favicon.ico", "/callback?error=x", "/callback?code=c&state=wrong", "/"]
        let statuses = try await withThrowingTaskGroup(of: Int?.self) { group in
            for number in 0..<200 {
                group.addTask { try await signIn.get(targets[number % targets.count]).status }
            }
            return try await group.reduce(into: [Int?: Int]()) { $0[$1, default: 0] += 1 }
        }
        // A busy listener may close an untrusted connection without a response; any response must be an error.
        #expect(Set(statuses.keys).isSubset(of: [404, 400, nil]))
        #expect(statuses[404, default: 0] > 0 && statuses[400, default: 0] > 0)
        async let page = signIn.get("/callback?code=c&state=right")
        try await signIn.outcome.get().conclude(.signedIn)
        #expect(try await page.status == 200)
    }

    @Test func `rejects a callback before a sign-in asks for one`() async throws {
        let attempt = try await BrowserAuthenticator(opener: IdleOpener()).prepare(.loopback())
        #expect(try await LoopbackClient.get("/callback?code=c&state=right", of: attempt.redirectURI).status == 400)
        await attempt.close()
    }
}
