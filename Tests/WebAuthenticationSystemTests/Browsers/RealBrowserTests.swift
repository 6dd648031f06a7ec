import AuthHubPrimitives
import AuthHubTesting
import Platform
import Testing

@testable import WebAuthentication
@testable import WebAuthenticationTests

extension SystemBrowserTests {
    /// Tests with the installed browsers: headless, and with a window if a virtual screen is available.
    struct RealBrowserTests {
        enum Browser: String, Sendable, CaseIterable, CustomTestStringConvertible {
            case chromium, firefox

            static let installed = allCases.filter { (try? $0.opener(arguments: [], environment: processEnvironment()).check()) != nil }

            var testDescription: String { rawValue }

            func opener(arguments: [String], environment: [String: String]) -> any PageOpener {
                switch self {
                case .chromium: EphemeralChromium(arguments: arguments, environment: environment)
                case .firefox: EphemeralFirefox(arguments: arguments, environment: environment)
                }
            }

            func opener(in folder: ScriptFolder, display: String? = nil) -> any PageOpener {
                var environment = processEnvironment().merging(
                    ["XDG_RUNTIME_DIR": folder.path, "HOME": folder.path, "TMPDIR": folder.path]) { $1 }
                environment["DISPLAY"] = display
                return opener(arguments: display == nil ? ["--headless"] : [], environment: environment)
            }
        }

        /// A sign-in whose page the browser has fetched.
        struct Shown: Sendable {
            let outcome: Task<WebAuthenticationError.Code?, Never>
            private let server: LoginServer

            init(by opener: some PageOpener, clock: TestClock = TestClock()) async throws {
                let server = try await LoginServer()
                server.set("/login", .html("<title>Sign in</title>"))
                let attempt = try await BrowserAuthenticator(opener: opener, clock: clock).prepare(.loopback())
                let request = WebAuthenticationRequest(url: server.origin + "/login") { _ in false }
                outcome = Task {
                    defer { server.noteChange() }
                    do throws(WebAuthenticationError) {
                        try await attempt.authenticate(request).conclude(.signedIn)
                        return nil
                    } catch {
                        return error.code
                    }
                }
                self.server = server
                await server.untilVisited("/login")
            }
        }

        /// Returns the browser process that uses the only profile in the folder.
        static func browser(in folder: ScriptFolder) throws -> ProcessIdentity {
            let profile = try #require(try EphemeralChromiumTests.profiles(in: folder).first)
            return try #require(ProcessIdentity(folder.read("\(profile)/\(TemporaryProfile.browserFile)")))
        }

        @Test(arguments: Browser.installed)
        func `it returns the callback, and leaves nothing`(browser: Browser) async throws {
            let folder = try ScriptFolder()
            let attempt = try await BrowserAuthenticator(opener: browser.opener(in: folder)).prepare(.loopback())
            let request = WebAuthenticationRequest(url: "\(attempt.redirectURI)?code=c&state=right", timeout: .seconds(300)) { _ in true }
            let received = try await attempt.authenticate(request)
            #expect(received.callback.url.reveal() == request.url)
            let process = try Self.browser(in: folder)
            await received.conclude(.signedIn)
            #expect(try EphemeralChromiumTests.profiles(in: folder) == [])
            #expect(!process.isRunning)
        }

        @Test(arguments: Browser.installed)
        func `two concurrent sign-ins do not interfere`(browser: Browser) async throws {
            let folder = try ScriptFolder()
            let authenticator = BrowserAuthenticator(opener: browser.opener(in: folder))
            let attempts = [try await authenticator.prepare(.loopback()), try await authenticator.prepare(.loopback())]
            let urls = attempts.enumerated().map { "\($1.redirectURI)?code=\($0)" }
            let outcomes = zip(attempts, urls).map { attempt, url in
                Task { try await attempt.authenticate(WebAuthenticationRequest(url: url) { _ in true }) }
            }
            for (outcome, url) in zip(outcomes, urls) {
                let received = try await outcome.value
                #expect(received.callback.url.reveal() == url)
                await received.conclude(.signedIn)
            }
            #expect(try EphemeralChromiumTests.profiles(in: folder) == [])
        }

        @Test(.enabled(if: Browser.installed.contains(.firefox), "needs Firefox"))
        func `Firefox returns callbacks of a custom scheme, and no other program is asked`() async throws {
            let server = try await LoginServer()
            server.set("/login", .html("<iframe src=mailto:a@b.example></iframe><script>location = '/next'</script>"))
            server.set("/next", .redirect("com.Example.app2:/callback?code=a%20b&state=right#fragment"))
            let folder = try ScriptFolder()
            let attempt = try await BrowserAuthenticator(opener: Browser.firefox.opener(in: folder)).prepare(
                .customScheme("com.Example.app2"))
            let received = try await attempt.authenticate(WebAuthenticationRequest(url: server.origin + "/login") { _ in true })
            #expect(received.callback.url.reveal() == "com.Example.app2:/callback?code=a%20b&state=right#fragment")
            await received.conclude(.signedIn)
            #expect(try EphemeralChromiumTests.profiles(in: folder) == [])
        }

        @Test(arguments: Browser.installed)
        func `killed, it has vanished`(browser: Browser) async throws {
            let folder = try ScriptFolder()
            let shown = try await Shown(by: browser.opener(in: folder))
            _ = kill(try Self.browser(in: folder).processID, SIGKILL)
            #expect(await shown.outcome.value == .browserVanished)
            #expect(try EphemeralChromiumTests.profiles(in: folder) == [])
            #expect(try folder.names.filter { $0.contains("chromium") } == [])
        }

        @Test(arguments: Browser.installed)
        func `the program cancels`(browser: Browser) async throws {
            let folder = try ScriptFolder()
            let shown = try await Shown(by: browser.opener(in: folder))
            let process = try Self.browser(in: folder)
            shown.outcome.cancel()
            #expect(await shown.outcome.value == .cancelledByProgram)
            #expect(try EphemeralChromiumTests.profiles(in: folder) == [])
            #expect(!process.isRunning)
        }

        @Test(arguments: Browser.installed)
        func `the sign-in times out`(browser: Browser) async throws {
            let folder = try ScriptFolder()
            let clock = TestClock()
            let shown = try await Shown(by: browser.opener(in: folder), clock: clock)
            await clock.untilAsleep()
            clock.advance(by: .seconds(300))
            #expect(await shown.outcome.value == .timedOut)
            #expect(try EphemeralChromiumTests.profiles(in: folder) == [])
        }

        @Test(arguments: Browser.installed)
        func `left behind by a killed sign-in, it is not touched while it runs, and its profile is removed afterwards`(browser: Browser)
            async throws
        {
            let folder = try ScriptFolder()
            let shown = try await Shown(by: browser.opener(in: folder))
            let process = try Self.browser(in: folder)
            let profile = try #require(try EphemeralChromiumTests.profiles(in: folder).first)
            // Simulate a profile of another process that was killed.
            let orphan = OrphanedProfiles.Name(
                namespace: OrphanedProfiles.namespace, maker: ProcessIdentity(processID: 999_999_999, started: 1), random: 1
            ).description
            try FileManager.default.moveItem(atPath: "\(folder.path)/\(profile)", toPath: "\(folder.path)/\(orphan)")
            await OrphanedProfiles.remove(from: [folder.path])
            #expect(folder.contains(orphan))
            #expect(process.isRunning)
            shown.outcome.cancel()
            #expect(await shown.outcome.value == .cancelledByProgram)
            await OrphanedProfiles.remove(from: [folder.path])
            #expect(!folder.contains(orphan))
        }

        #if os(Linux)
        @Test(
            .enabled(if: ["Xvfb", "xdotool"].allSatisfy { processEnvironment().findProgram($0) != nil }, "needs Xvfb and xdotool"),
            arguments: Browser.installed)
        func `the user closes the window`(browser: Browser) async throws {
            let folder = try ScriptFolder()
            let screen = try await VirtualScreen(in: folder)
            let shown = try await Shown(by: browser.opener(in: folder, display: screen.display))
            if try await !screen.closeWindow(of: browser.rawValue) { shown.outcome.cancel() }
            let start = ContinuousClock.now
            #expect(await shown.outcome.value == .cancelledByUser)
            #expect(start.duration(to: .now) < .seconds(120))
            #expect(try EphemeralChromiumTests.profiles(in: folder) == [])
            await screen.end()
        }

        @Test(
            .enabled(
                if: Browser.installed.contains(.chromium)
                    && ["Xvfb", "xdotool"].allSatisfy { processEnvironment().findProgram($0) != nil }, "needs Chromium, Xvfb and xdotool"),
            arguments: [CallbackMethod.https(host: "app.example.com", path: "/callback"), .customScheme("com.example.app")])
        func `the user closes the window of a Chromium that returns callbacks itself`(callback: CallbackMethod) async throws {
            let folder = try ScriptFolder()
            let screen = try await VirtualScreen(in: folder)
            let server = try await LoginServer()
            server.set("/login", .html("Sign in"))
            let attempt = try await BrowserAuthenticator(opener: Browser.chromium.opener(in: folder, display: screen.display))
                .prepare(callback)
            let request = WebAuthenticationRequest(url: server.origin + "/login") { _ in false }
            let outcome = Task { try await attempt.authenticate(request) }
            await server.untilVisited("/login")
            if try await !screen.closeWindow(of: "chromium") { outcome.cancel() }
            let error = await #expect(throws: WebAuthenticationError.self) { try await outcome.value }
            #expect(error?.code == .cancelledByUser)
            #expect(try EphemeralChromiumTests.profiles(in: folder) == [])
            await screen.end()
        }
        #endif
    }
}

#if os(Linux)
/// A virtual screen, and a user who closes the windows on it.
private struct VirtualScreen {
    let display: String
    private let folder: ScriptFolder
    private let server: BrowserProcess

    init(in folder: ScriptFolder) async throws {
        self.folder = folder
        try folder.addPipe("display")
        try folder.add("screen", #"exec Xvfb -displayfd 3 -nolisten tcp -noreset 3> "$(dirname "$0")/display""#)
        server = try BrowserProcess(
            path: "\(folder.path)/screen", arguments: ["screen"], environment: processEnvironment(), endsGroup: true)
        // Opening the pipe waits until the server has started, and reading from it waits until the server has reported its display.
        let path = "\(folder.path)/display"
        let number = await withoutBlockingTasks {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            defer { close(descriptor) }
            var number: [UInt8] = []
            var byte: UInt8 = 0
            while read(descriptor, &byte, 1) == 1 { number.append(byte) }
            return String(decoding: number, as: UTF8.self)
        }
        let digits = number.filter(\.isNumber)
        try #require(!digits.isEmpty)
        display = ":\(digits)"
    }

    /// Presses Ctrl-W until the window has closed, because a window that was just opened may ignore the keys.
    ///
    /// - Returns: Whether the window has closed within a minute or a bit more.
    func closeWindow(of name: String) async throws -> Bool {
        try folder.add(
            "close",
            """
            xdotool search --sync --onlyvisible --class "$1" > /dev/null
            misses=0
            for attempt in $(seq 300); do
                # Each may fail while any window is just coming or going, so one miss does not mean that the window has closed.
                if xdotool search --onlyvisible --class "$1" > /dev/null; then
                    misses=0
                    xdotool search --onlyvisible --class "$1" windowfocus key ctrl+w
                else
                    misses=$((misses + 1))
                    [ "$misses" -lt 5 ] || exit 0
                fi
                sleep 0.2
            done
            exit 1
            """)
        let person = try BrowserProcess(
            path: "\(folder.path)/close", arguments: ["close", name],
            environment: processEnvironment().merging(["DISPLAY": display]) { $1 })
        return await person.exit == .status(0)
    }

    func end() async {
        server.terminate()
        _ = await server.exit
    }
}
#endif
