import AuthHubPrimitives
import Testing

@testable import WebAuthentication

/// Sign-ins whose response is posted to the loopback port as a form.
struct FormPostTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method = "POST"
        var target = "/callback"
        /// The host; nil for that of the redirect URI.
        var host: String?
        var fields = "Content-Type: application/x-www-form-urlencoded\r\n"
        var body = "code=c&state=right"
        /// The announced length; nil for the length of the body.
        var length: String?
        let status: Int
        var allow: String?
    }

    static let rows = [
        Row(
            testDescription: "AR41 GET with the response in the query", method: "GET", target: "/callback?code=c&state=right", status: 405,
            allow: "POST"),
        Row(testDescription: "AR41 PUT", method: "PUT", status: 405, allow: "POST"),
        Row(testDescription: "AR41 no type", fields: "", status: 415),
        Row(testDescription: "AR41 plain text", fields: "Content-Type: text/plain\r\n", status: 415),
        Row(
            testDescription: "AR41 JSON", fields: "Content-Type: application/json\r\n", body: #"{"code":"c","state":"right"}"#, status: 415),
        Row(testDescription: "AR41 a multipart form", fields: "Content-Type: multipart/form-data; boundary=x\r\n", status: 415),
        Row(
            testDescription: "AR41 two types",
            fields: "Content-Type: application/x-www-form-urlencoded\r\nContent-Type: application/x-www-form-urlencoded\r\n", status: 415),
        Row(testDescription: "AR41 bytes that no form contains", body: "code=c\u{0}&state=right", status: 415),
        Row(testDescription: "AR41 an empty body", body: "", status: 415),
        Row(testDescription: "AR41 a body announced as over 64 KiB", length: "65537", status: 413),
        Row(testDescription: "AR41 a body over 64 KiB", body: "x=" + String(repeating: "x", count: 65_536) + "&state=right", status: 413),
        Row(testDescription: "AR43 over 100 parameters", body: String(repeating: "a=b&", count: 100) + "state=right", status: 413),
        Row(testDescription: "AR44 a foreign host", host: "attacker.example", status: 400),
        Row(testDescription: "AR45 another path", target: "/", status: 404),
        Row(testDescription: "AR03 a wrong state", body: "code=c&state=wrong", status: 400),
        Row(testDescription: "AR14 an error without a state", body: "error=access_denied", status: 400),
    ]

    @Test(arguments: rows)
    func `rejects a stray request, and the right form still arrives`(row: Row) async throws {
        let signIn = try await SignIn(responseMode: .form)
        let authority = String(signIn.redirectURI.split(separator: "/")[1])
        let length = row.length ?? String(row.body.utf8.count)
        let stray = try await LoopbackClient.send(
            "\(row.method) \(row.target) HTTP/1.1\r\nHost: \(row.host ?? authority)\r\n\(row.fields)Content-Length: \(length)\r\n\r\n\(row.body)",
            to: signIn.redirectURI)
        #expect(stray.status == row.status)
        #expect(stray["Allow"] == row.allow)
        #expect(stray["Cache-Control"] == "no-store")

        async let page = signIn.post("code=c&state=right")
        let received = try await signIn.outcome.get()
        #expect(received.callback.content == .form(Secret("code=c&state=right")))
        await received.conclude(.signedIn)
        #expect(try await page.status == 200)
    }

    @Test(arguments: ["https://as.example", "null", "http://attacker.example"])
    func `accepts a form from any origin: its state says which sign-in it belongs to`(origin: String) async throws {
        let signIn = try await SignIn(responseMode: .form)
        async let page = signIn.post(
            "code=c&state=right", fields: "Origin: \(origin)\r\nSec-Fetch-Site: cross-site\r\n",
            type: "Application/X-WWW-Form-Urlencoded ; charset=UTF-8")
        let received = try await signIn.outcome.get()
        #expect(received.callback.url.reveal() == signIn.redirectURI)
        await received.conclude(.failed("the server refused"))
        let shown = try await page
        #expect(shown.status == 400 && shown.body.contains("the server refused"))
        #expect(!shown.text.contains("code=c") && !shown.text.contains("right"))
    }

    @Test func `joins a form that arrives in pieces, and cuts off one without a length at 64 KiB`() async throws {
        let signIn = try await SignIn(responseMode: .form)
        let head = LoopbackClient.request(
            "/callback", of: signIn.redirectURI, method: "POST",
            fields: "Content-Type: \(SignIn.formType)\r\nTransfer-Encoding: chunked\r\n")
        let chunk = "2000\r\n\(String(repeating: "x", count: 0x2000))\r\n"
        let endless = try await LoopbackClient.send(head + String(repeating: chunk, count: 9), to: signIn.redirectURI)
        #expect(endless.status == 413)

        let client = try await LoopbackClient(to: signIn.redirectURI)
        for piece in [head, "7\r\ncode=c&\r\n", "b\r\nstate=right", "\r\n0\r\n\r\n"] { try await client.send(piece) }
        let received = try await signIn.outcome.get()
        #expect(received.callback.content == .form(Secret("code=c&state=right")))
        await received.conclude(.signedIn)
        #expect(Answer(try await client.untilClosed()).status == 200)
    }

    @Test func `AR05 the same form again gets the same page, and a different one is too late`() async throws {
        let signIn = try await SignIn(responseMode: .form)
        async let page = signIn.post("code=c&state=right")
        let received = try await signIn.outcome.get()
        async let again = signIn.post("code=c&state=right")
        #expect(try await signIn.post("code=d&state=right").status == 400)
        await received.conclude(.signedIn)
        #expect(try await page.status == 200)
        _ = try? await again
    }

    @Test func `does not wait for a form if nothing can deliver one`() async throws {
        let folder = try ScriptFolder()
        let browser = BrowserAuthenticator(
            opener: EphemeralChromium(environment: ["HOME": folder.path, "PATH": folder.path]), waitsWhenNotShown: true)
        let attempt = try await browser.prepare(.customScheme("com.example.app"))
        var request = WebAuthenticationRequest.expectingRightState
        request.responseMode = .form
        let failure = await #expect(throws: WebAuthenticationError.self) { _ = try await attempt.authenticate(request) }
        #expect(failure?.code == .cannotReceive)
    }
}
