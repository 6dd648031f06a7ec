import AuthHubPrimitives
import AuthHubTesting
import Testing

@testable import WebAuthentication
@testable import WebAuthenticationTests

extension SystemBrowserTests {
    /// Tests with scripts that simulate Chromium, for behavior that the real Chromium rarely shows.
    @Suite(.enabled(if: DevToolsScript.python != nil, "needs Python"), .timeLimit(.minutes(15)))
    struct DevToolsWindowTests {
        struct Failure: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let script: String
            let code: WebAuthenticationError.Code
            var explanation: String?
        }

        static let failures = [
            Failure(
                testDescription: "status at once", script: "sys.exit(3)", code: .cannotShow, explanation: "chromium exited with status 3"),
            Failure(testDescription: "signal at once", script: "os.kill(os.getpid(), 9)", code: .cannotShow),
            Failure(
                testDescription: "not JSON", script: "say_bytes(b'HTTP/1.1 400 Bad Request'); hear_method('Browser.close')",
                code: .cannotShow,
                explanation: "chromium cannot be used: it does not speak the DevTools protocol"),
            Failure(testDescription: "JSON of another shape", script: "say_bytes(b'[]'); hear_method('Browser.close')", code: .cannotShow),
            Failure(
                testDescription: "an endless message", script: "say_bytes(b'x' * (1 << 21)); hear_method('Browser.close')",
                code: .cannotShow),
            Failure(
                testDescription: "requests cannot be intercepted",
                script: "say(id=hear_method('Fetch.enable')['id'], error={'code': -32601}); hear_method('Browser.close')",
                code: .cannotShow,
                explanation: "chromium cannot be used: it cannot intercept requests; install a newer Chromium"),
            Failure(
                testDescription: "the page is rejected",
                script: "say(id=prepare()['id'], error={'code': -32000}); hear_method('Browser.close')", code: .cannotShow),
            Failure(
                testDescription: "window closed before the page", script: "page('P'); gone('P'); hear_method('Browser.close')",
                code: .cancelledByUser),
            Failure(
                testDescription: "window closed", script: "prepare(); gone('P'); hear_method('Browser.close')", code: .cancelledByUser),
            Failure(
                testDescription: "window closed, then the popup",
                script: "prepare(); page('Q'); gone('P'); gone('X'); gone('Q'); hear_method('Browser.close')", code: .cancelledByUser),
            Failure(
                testDescription: "AR65 another state", script: "prepare(); paused('1', wrong); hear_method('Browser.close')",
                code: .unexpectedCallback,
                explanation: "the page returned a response that does not belong to this sign-in; it was not used"),
            Failure(testDescription: "normal exit without a message", script: "prepare(); sys.exit(0)", code: .cancelledByUser),
            Failure(
                testDescription: "killed", script: "prepare(); os.kill(os.getpid(), 9)", code: .browserVanished,
                explanation: "chromium was terminated by signal 9"),
            Failure(testDescription: "crashed", script: "prepare(); sys.exit(134)", code: .browserVanished),
            Failure(
                testDescription: "pipe closed, and does not exit when told to",
                script: "signal.signal(signal.SIGTERM, signal.SIG_IGN); prepare(); os.close(3); os.close(4); signal.pause()",
                code: .browserVanished),
        ]

        @Test(arguments: failures) func `how a browser ended determines who must act, and nothing is left`(_ row: Failure) async throws {
            let folder = try ScriptFolder()
            let signIn = try await DevToolsScript.signIn(row.script, in: folder)
            guard case .failure(let error) = await signIn.outcome else {
                Issue.record("it brought a callback")
                return
            }
            #expect(error.code == row.code)
            if let explanation = row.explanation { #expect(error.explanation == explanation) }
            #expect(try folder.profiles == [])
        }

        struct Row: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let script: String
            var callback = "https://app.example.com/callback?code=c&state=right"
        }

        static let rows = [
            Row(testDescription: "query", script: "paused('1', right)"),
            Row(
                testDescription: "fragment", script: "paused('1', right, '#f&state=right')",
                callback: "https://app.example.com/callback?code=c&state=right#f&state=right"),
            Row(testDescription: "in a popup", script: "page('Q', ''); paused('1', right, frame='Q')"),
            Row(testDescription: "while the page is still being requested", script: "paused('1', right)"),
            Row(
                testDescription: "after messages of a page's session",
                script: "paused('1', other, session='S'); paused('2', right)"),
            Row(
                testDescription: "after a session reports that the window is gone",
                script: "event('Target.targetDestroyed', 'S', targetId='P'); paused('2', right)"),
            Row(testDescription: "after a frame", script: "paused('1', other, frame='F'); paused('2', right)"),
            Row(testDescription: "after a subresource", script: "paused('1', other, kind='XHR'); paused('2', right)"),
            Row(testDescription: "after a form", script: "paused('1', other, method='POST'); paused('2', right)"),
            Row(
                testDescription: "after a look-alike",
                script: "paused('1', 'https://app.example.com/callback2?state=right'); paused('2', right)"),
            Row(
                testDescription: "after a URL that is too long",
                script: "paused('1', right + 'x' * 65536 + '&state=right'); paused('2', right)"),
            Row(testDescription: "after an endless message", script: "say_bytes(b'{' * (1 << 22)); paused('2', right)"),
            Row(testDescription: "after invalid JSON", script: #"say_bytes(b'{"method":"\xff"}'); say_bytes(b''); paused('2', right)"#),
            Row(testDescription: "after an incomplete request", script: "event('Fetch.requestPaused', requestId='1'); paused('2', right)"),
            Row(
                testDescription: "after responses to unknown commands",
                script: "say(id=2, error={}); say(id=99, result={}); say(id=-1, result={}); paused('2', right)"),
        ]

        @Test(arguments: rows) func `only the redirect of a window or tab counts as a callback`(_ row: Row) async throws {
            let folder = try ScriptFolder()
            let signIn = try await DevToolsScript.signIn("prepare()\n\(row.script)\nhear_method('Browser.close')", in: folder)
            let received = try await signIn.outcome.get()
            #expect(received.callback.url.reveal() == row.callback)
            await signIn.clock.run { await received.conclude(.signedIn) }
            #expect(try folder.profiles == [])
        }

        @Test func `every request gets a response, and only look-alikes continue`() async throws {
            let folder = try ScriptFolder()
            let signIn = try await DevToolsScript.signIn(
                """
                prepare()
                paused("form", right, method="POST")
                paused("long", right + "x" * 70000)
                paused("frame", right, frame="F")
                paused("alike", "https://app.example.com/callback2?state=right")
                paused("right", right)
                paused("again", right)
                paused("late", right + "&x&state=right")
                hear_method("Browser.close")
                """, in: folder)
            let received = try await signIn.outcome.get()
            await signIn.clock.run { await received.conclude(.failed("no <b>")) }
            var answers: [String: String] = [:]
            for line in try folder.read("heard").split(separator: "\n") {
                let message = try JSONValue(strict: line.utf8)
                guard let id = message["params"]?["requestId"]?.string else { continue }
                let status = message["params"]?["responseCode"]?.number.map { " \($0.text)" } ?? ""
                #expect(answers[id] == nil, "answered twice")
                answers[id] = (message["method"]?.string ?? "") + status
            }
            #expect(
                answers == [
                    "form": "Fetch.fulfillRequest 405", "long": "Fetch.fulfillRequest 414",
                    "frame": "Fetch.failRequest", "alike": "Fetch.continueRequest", "right": "Fetch.fulfillRequest 400",
                    "again": "Fetch.fulfillRequest 400", "late": "Fetch.fulfillRequest 400",
                ])
        }

        @Test func `the commands to the browser contain the callback's pattern, and its arguments no URL`() async throws {
            let folder = try ScriptFolder()
            let signIn = try await DevToolsScript.signIn(
                #"""
                with open(here + "/arguments", "w") as file: file.write("\n".join(sys.argv[1:]))
                with open(here + "/descriptors", "w") as file:
                    file.write(" ".join(sorted(f for f in os.listdir("/dev/fd") if os.path.exists("/dev/fd/" + f) and int(f) != file.fileno())))
                prepare()
                gone("P")
                hear_method("Browser.close")
                """#, in: folder)
            #expect(await signIn.outcome.code == .cancelledByUser)
            let heard = try folder.read("heard").split(separator: "\n")
            #expect(
                heard.contains {
                    $0.contains(#""Fetch.enable","params":{"patterns":[{"urlPattern":"https://app.example.com/callback*"}]}"#)
                })
            #expect(heard.contains { $0.contains(#""params":{"url":"https://as.example/authorize?client_id=c"},"sessionId":"S""#) })
            let arguments = try folder.read("arguments").split(separator: "\n")
            #expect(arguments.suffix(2) == ["--remote-debugging-pipe", "about:blank"])
            #expect(!arguments.contains { $0.contains("as.example") })
            #expect(try folder.read("descriptors") == "0 1 2 3 4")
        }

        @Test func `times out a browser that says nothing`() async throws {
            let folder = try ScriptFolder()
            let clock = TestClock()
            let signIn = try await DevToolsScript.signIn("while True: hear()", in: folder, clock: clock)
            await clock.untilAsleep()
            clock.advance(by: .seconds(60))
            guard case .failure(let error) = await signIn.outcome else {
                Issue.record("it was shown")
                return
            }
            #expect(error.code == .cannotShow)
            #expect(error.explanation == "chromium cannot be used: it was not ready within 60 seconds")
            #expect(try folder.profiles == [])
        }

        @Test func `a sign-in can be cancelled before the browser has said anything`() async throws {
            let folder = try ScriptFolder()
            let clock = TestClock()
            let signIn = try await DevToolsScript.signIn("while True: hear()", in: folder, clock: clock)
            await clock.untilAsleep()
            signIn.cancel()
            #expect(await signIn.outcome.code == .cancelledByProgram)
            #expect(try folder.profiles == [])
        }

        @Test func `a tab whose sign-in is not concluded gets a page in the end`() async throws {
            let folder = try ScriptFolder()
            try folder.addPipe("pipe")
            let clock = TestClock()
            let signIn = try await DevToolsScript.signIn(
                "prepare(); paused('1', right); hear_method('Fetch.fulfillRequest'); open(here + '/pipe').read(); hear_method('Browser.close')",
                in: folder, clock: clock)
            let received = try await signIn.outcome.get()
            await clock.untilAsleep()
            clock.advance(by: CapturedCallbacks.conclusionTime)
            await folder.openPipe("pipe")
            #expect(try folder.read("heard").contains(#""responseCode":200"#))
            await signIn.clock.run { await received.conclude(.failed("late")) }
            #expect(try !folder.read("heard").contains(#""responseCode":400"#))
        }
    }
}
