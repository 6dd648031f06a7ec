import AuthHubPrimitives
import AuthHubTesting
import NIOHTTP1
import Platform
import Testing

@testable import WebAuthentication
@testable import WebAuthenticationTests

extension SystemBrowserTests {
    /// Tests that need the real browser.
    @Suite(.enabled(if: ChromiumSignIn.isPossible, "needs Chromium"), .timeLimit(.minutes(15)))
    struct RealChromiumTests {
        struct Method: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let method: CallbackMethod
            let redirectURI: String
        }

        private static let https = CallbackMethod.https(host: "app.example.com", path: "/callback")
        private static let scheme = CallbackMethod.customScheme("com.Example.app2")

        static let methods = [
            Method(testDescription: "https", method: https, redirectURI: "https://app.example.com/callback"),
            Method(testDescription: "custom scheme, with a digit", method: scheme, redirectURI: "com.Example.app2:/callback"),
        ]

        @Test(arguments: methods) func `returns the complete callback, and leaves nothing`(_ row: Method) async throws {
            let server = try await LoginServer()
            server.set("/login", .redirect("/next"))
            server.set("/next", .redirect("\(row.redirectURI)?code=a%20b&state=right#access_token=t"))
            let signIn = try await ChromiumSignIn(row.method, at: server)
            #expect(signIn.redirectURI == row.redirectURI)
            let received = try await signIn.outcome.get()
            #expect(received.callback.url.reveal() == "\(row.redirectURI)?code=a%20b&state=right#access_token=t")
            await received.conclude(.signedIn)
            #expect(try signIn.folder.profiles == [])
            #expect(!server.wasGreeted(as: "app.example.com"))
        }

        @Test(arguments: methods) func `sends additional header fields with the first request only`(_ row: Method) async throws {
            let server = try await LoginServer()
            server.set("/login", .redirect("/next"))
            server.set("/next", .redirect("\(row.redirectURI)?state=right"))
            let signIn = try await ChromiumSignIn(row.method, at: server, headerFields: ["X-Hint": "one"])
            let received = try await signIn.outcome.get()
            await received.conclude(.signedIn)
            #expect(server.visits.filter { $0.headers.contains(name: "X-Hint") }.map(\.path) == ["/login"])
            #expect(server.visits.first { $0.path == "/login" }?.headers["X-Hint"] == ["one"])
            #expect(server.visits.contains { $0.path == "/next" })
        }

        @Test func `AR41 returns a form that is posted to an https callback if expected, and never sends it`() async throws {
            let server = try await LoginServer()
            server.set(
                "/login",
                .html(
                    "<form method=post action='https://app.example.com/callback'><input name=code value='a b'><input name=state value=right>"
                        + "</form><script>document.forms[0].submit()</script>"))
            let signIn = try await ChromiumSignIn(Self.https, at: server, responseMode: .form)
            let received = try await signIn.outcome.get()
            #expect(received.callback.url.reveal() == "https://app.example.com/callback")
            #expect(received.callback.content == .form(Secret("code=a+b&state=right")))
            await received.conclude(.signedIn)
            // Chromium may connect to the form's target in advance, but must not send a request.
            #expect(server.visits.allSatisfy { $0.path != "/callback" })
        }

        @Test func `AR65 a response with a different state ends the sign-in and the browser at once`() async throws {
            let server = try await LoginServer()
            server.set("/login", .redirect("https://app.example.com/callback?code=c&state=wrong"))
            let signIn = try await ChromiumSignIn(Self.https, at: server)
            #expect(await signIn.outcome.code == .unexpectedCallback)
            #expect(signIn.seen == ["https://app.example.com/callback?code=c&state=wrong"])
            #expect(server.visits.allSatisfy { $0.path != "/callback" })
            #expect(try signIn.folder.profiles == [])
        }

        @Test func `look-alikes are let through, and frames and subresources do not count`() async throws {
            let server = try await LoginServer()
            let callback = "https://app.example.com/callback"
            server.set("/framed", .redirect("\(callback)?state=right&in=frame"))
            server.set(
                "/form",
                .html(
                    "<form method=post action='\(callback)'><input name=state value=right></form><script>document.forms[0].submit()</script>"
                ))
            server.set("/finish", .redirect("\(callback)?state=right"))
            server.set("/wait", .held)
            server.set(
                "/login",
                .html(
                    """
                    <iframe src="/framed"></iframe><img src="\(callback)?state=right&in=image">
                    <script>
                    fetch("\(callback)?state=right&in=fetch", {mode: "no-cors"}).catch(() => {});
                    open("https://app.example.com.evil.example/callback?state=right");
                    open("https://evil.example/callback?state=right");
                    open("https://app.example.com:8443/callback?state=right&in=port");
                    open("/form");
                    fetch("/wait").then(() => open("/finish"));
                    </script>
                    """))
            let signIn = try await ChromiumSignIn(.https(host: "app.example.com", path: "/callback"), at: server)
            await server.until {
                server.wasGreeted(as: "app.example.com.evil.example") && server.wasGreeted(as: "evil.example")
            }
            await server.untilVisited("/form")
            await server.untilVisited("/framed")
            server.release("/wait")
            let received = try await signIn.outcome.get()
            #expect(received.callback.url.reveal() == "\(callback)?state=right")
            #expect(signIn.seen == ["\(callback)?state=right"])
            await received.conclude(.failed("no"))
            #expect(try signIn.folder.profiles == [])
        }

        @Test func `fetches a path with the same beginning from its host`() async throws {
            let server = try await LoginServer()
            server.set("/login", .redirect("https://app.example.com/callback2?state=right"))
            let signIn = try await ChromiumSignIn(Self.https, at: server)
            await server.until { server.wasGreeted(as: "app.example.com") }
            signIn.cancel()
            #expect(await signIn.outcome.code == .cancelledByProgram)
            #expect(signIn.seen == [])
            #expect(try signIn.folder.profiles == [])
        }

        @Test func `a page can start no program, only return its callback`() async throws {
            let folder = try ScriptFolder()
            for name in ["xdg-open", "xdg-email", "xdg-settings", "xdg-mime", "gio"] {
                try folder.add(name, #"echo "$0 $*" >> "$(dirname "$0")/started""#)
            }
            let server = try await LoginServer()
            server.set("/finish", .redirect("com.example.app2:/callback?state=right"))
            server.set(
                "/login",
                .html(
                    """
                    <iframe src="mailto:someone@mail.example"></iframe>
                    <script>location = "mailto:someone@mail.example"; setTimeout(() => location = "/finish", 500)</script>
                    """))
            let path = "\(folder.path):\(processEnvironment()["PATH"] ?? "/usr/bin:/bin")"
            let signIn = try await ChromiumSignIn(
                .customScheme("com.example.app2"), at: server, variables: ["PATH": path], folder: folder)
            // Chromium opens one URL without asking, and the next one only after the user has clicked the page. The one URL may have been
            // the `mailto:` URL.
            await server.untilVisited("/finish")
            signIn.cancel()
            _ = await signIn.outcome
            #expect(!folder.contains("started"))
        }

        @Test(arguments: methods) func `a killed browser has vanished`(_ row: Method) async throws {
            let server = try await LoginServer()
            let signIn = try await ChromiumSignIn(row.method, at: server)
            await server.untilVisited("/login")
            for browser in try signIn.folder.browsers { kill(browser, SIGKILL) }
            #expect(await signIn.outcome.code == .browserVanished)
            #expect(try signIn.folder.profiles == [])
        }

        @Test(arguments: methods) func `a cancelled sign-in closes its browser`(_ row: Method) async throws {
            let server = try await LoginServer()
            let signIn = try await ChromiumSignIn(row.method, at: server)
            await server.untilVisited("/login")
            let browsers = try signIn.folder.browsers
            #expect(browsers.count == 1)
            signIn.cancel()
            #expect(await signIn.outcome.code == .cancelledByProgram)
            #expect(browsers.allSatisfy { kill($0, 0) == -1 })
            #expect(try signIn.folder.profiles == [])
        }

        @Test func `two concurrent sign-ins each get their own callback, and one that sees the other's ends`() async throws {
            let server = try await LoginServer()
            let callback = "https://app.example.com/callback"
            for own in ["one", "two"] {
                server.set("/\(own)", .html("<script>fetch('/\(own)/wait').then(() => location = '/\(own)/own')</script>"))
                server.set("/\(own)/wait", .held)
                server.set("/\(own)/own", .redirect("\(callback)?state=\(own)"))
            }
            server.set("/crossed", .redirect("\(callback)?state=one"))
            let first = try await ChromiumSignIn(Self.https, at: server, path: "/one", state: "one")
            let second = try await ChromiumSignIn(Self.https, at: server, path: "/two", state: "two")
            let crossed = try await ChromiumSignIn(Self.https, at: server, path: "/crossed", state: "three")
            #expect(await crossed.outcome.code == .unexpectedCallback)
            for (signIn, own) in [(first, "one"), (second, "two")] {
                server.release("/\(own)/wait")
                let received = try await signIn.outcome.get()
                #expect(received.callback.url.reveal() == "\(callback)?state=\(own)")
                await received.conclude(.signedIn)
            }
        }
    }
}
