import AuthHubPrimitives
import AuthHubTesting
import Synchronization
import Testing

@testable import WebAuthentication

/// The browser is opened with a URL that reveals nothing and redirects to the page once.
struct StartAddressTests {
    private static let page = "https://as.example/authorize?client_id=c"

    /// A sign-in, and the URL that its opener was given.
    private func started(_ method: CallbackMethod? = nil) async throws -> (signIn: SignIn, start: String) {
        let addresses = AsyncStream.makeStream(of: String.self)
        let signIn = try await SignIn(method: method, opener: ClosureOpener { addresses.continuation.yield($0) })
        for await start in addresses.stream { return (signIn, start) }
        throw CancellationError()
    }

    /// Starts a sign-in, and cancels it after the test.
    private func whileStarted(_ test: (_ signIn: SignIn, _ start: String) async throws -> Void) async throws {
        let (signIn, start) = try await started()
        try await test(signIn, start)
        signIn.cancel()
        _ = await signIn.outcome
        #expect(await isFree(signIn.redirectURI))
    }

    private func get(_ start: String, method: String = "GET", fields: String = "", host: String? = nil) async throws -> Answer {
        let authority = String(start.split(separator: "/")[1])
        let path = start.dropFirst("http://\(authority)".count)
        return try await LoopbackClient.send(
            "\(method) \(path) HTTP/1.1\r\nHost: \(host ?? authority)\r\n\(fields)\r\n", to: start)
    }

    @Test func `AR61 opens the browser with a URL that contains nothing of the sign-in page's URL, and leads there once`() async throws {
        try await whileStarted { signIn, start in
            let origin = signIn.origin
            #expect(start.hasPrefix("\(origin)/start/"))
            #expect(start.utf8.count == origin.utf8.count + "/start/".utf8.count + 43)
            let answer = try await get(start)
            #expect(answer.status == 303)
            #expect(answer["Location"] == Self.page)
            #expect(answer["Cache-Control"] == "no-store")
            #expect(answer["Referrer-Policy"] == "no-referrer")
            #expect(answer.body.isEmpty)
            let again = try await get(start)
            #expect(again.status == 410)
            #expect(again.body.contains("works only once"))
            #expect(!again.text.contains("as.example"))
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method = "GET"
        var fields = ""
        var host: String?
        var suffix = ""
        let status: Int
    }

    @Test(arguments: [
        Row(testDescription: "AR61 a prefetch", fields: "Sec-Purpose: prefetch\r\n", status: 503),
        Row(testDescription: "AR61 a prerender", fields: "Sec-Purpose: prefetch;prerender\r\n", status: 503),
        Row(testDescription: "AR61 a prefetch of older browsers", fields: "Purpose: prefetch\r\n", status: 503),
        Row(testDescription: "AR61 a prefetch of Firefox", fields: "X-Moz: prefetch\r\n", status: 503),
        Row(testDescription: "AR61 a preview of Safari", fields: "X-Purpose: preview\r\n", status: 503),
        Row(testDescription: "AR61 a preview's HEAD", method: "HEAD", status: 405),
        Row(testDescription: "AR61 a form", method: "POST", fields: "Content-Length: 0\r\n", status: 405),
        Row(testDescription: "AR61 an image in another page", fields: "Sec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image\r\n", status: 403),
        Row(testDescription: "AR61 a frame in another page", fields: "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n", status: 403),
        Row(testDescription: "AR61 another host", host: "attacker.example", status: 400),
        Row(testDescription: "AR61 a different ticket", suffix: "x", status: 404),
        Row(testDescription: "AR61 a query after it", suffix: "?a=b", status: 404),
    ])
    func `only a navigation of the user's browser uses it up`(row: Row) async throws {
        try await whileStarted { _, start in
            let stray = try await get(start + row.suffix, method: row.method, fields: row.fields, host: row.host)
            #expect(stray.status == row.status)
            #expect(!stray.text.contains("as.example"))
            let answer = try await get(start, fields: "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\nSec-Fetch-Site: none\r\n")
            #expect(answer.status == 303)
        }
    }

    @Test func `AR61 a callback of a custom scheme has a port only for the start URL, which is free when the sign-in has ended`()
        async throws
    {
        let listener = StartListener(clock: TestClock())
        let start = try await listener.address(leadingTo: try ShownURL(Self.page))
        #expect(try await get(start)["Location"] == Self.page)
        #expect(try await get(start).status == 410)
        #expect(try await LoopbackClient.get("/?code=c&state=right", of: start).status == 400)
        await listener.close()
        #expect(await isFree(start))
    }

    @Test func `the port of a start URL is not bound after the end`() async throws {
        let listener = StartListener(clock: TestClock())
        await listener.close()
        let error = await #expect(throws: WebAuthenticationError.self) {
            _ = try await listener.address(leadingTo: try ShownURL(Self.page))
        }
        #expect(error?.code == .cancelledByProgram)
    }

    @Test func `AR61 a page that is shown again is opened by a different URL, and the first one stays used up`() async throws {
        let addresses = AsyncStream.makeStream(of: String.self)
        let opener = ClosureOpener { addresses.continuation.yield($0) }
        let attempt = try await BrowserAuthenticator(opener: opener).prepare(.loopback())
        try await attempt.showAgain()
        let waiting = Task { try await attempt.authenticate(.expectingRightState) }
        var opened = addresses.stream.makeAsyncIterator()
        let first = try #require(await opened.next())
        #expect(try await get(first).status == 303)
        try await attempt.showAgain()
        let second = try #require(await opened.next())
        #expect(second != first)
        #expect(try await get(second)["Location"] == Self.page)
        #expect(try await [get(first).status, get(second).status] == [410, 410])
        waiting.cancel()
        _ = await waiting.result
        try await attempt.showAgain()
        addresses.continuation.finish()
        #expect(await opened.next() == nil)
    }

    @Test func `AR61 a custom scheme's page that is shown again has a different URL at the same port`() async throws {
        let listener = StartListener(clock: TestClock())
        let first = try await listener.address(leadingTo: try ShownURL(Self.page))
        let second = try await listener.address(leadingTo: try ShownURL(Self.page))
        #expect(first != second)
        #expect(first.split(separator: "/")[1] == second.split(separator: "/")[1])
        #expect(try await [get(second).status, get(first).status, get(second).status] == [303, 303, 410])
        await listener.close()
    }

    @Test func `keeps a limited number of start URLs, and evicts the oldest`() throws {
        var addresses = StartAddresses()
        let made = try (0...StartAddresses.limit).map { _ in StartAddress(leadingTo: try ShownURL(Self.page)) }
        for address in made { addresses.append(address) }
        let tickets = made.map { String($0.path.dropFirst(StartAddress.folder.count)) }
        #expect(tickets.map { addresses.page(for: $0) != nil } == [false] + Array(repeating: true, count: StartAddresses.limit))
    }

    @Test func `a start URL leads nowhere once the callback has arrived`() async throws {
        let (signIn, start) = try await started()
        async let page = signIn.get("/callback?code=c&state=right")
        let received = try await signIn.outcome.get()
        #expect(try await get(start).status == 400)
        await received.conclude(.signedIn)
        #expect(try await page.status == 200)
    }
}
