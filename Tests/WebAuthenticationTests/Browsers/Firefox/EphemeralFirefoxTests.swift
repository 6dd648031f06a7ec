import AuthHubPrimitives
import AuthHubTesting
import Platform
import Testing

@testable import WebAuthentication

extension SystemBrowserTests {
    /// Tests with scripts that simulate Firefox.
    struct EphemeralFirefoxTests {
        /// Creates a Firefox that records its arguments, environment and settings, and then runs the rest of a script.
        static func firefox(in folder: ScriptFolder, then rest: String, environment: [String: String] = [:]) throws -> EphemeralFirefox {
            try folder.add(
                "firefox",
                """
                cd "$(dirname "$0")"; for word in "$@"; do echo "$word"; done > arguments; env > environment
                ls -ld authhub-browser-* | cut -c1-10 > mode; cp authhub-browser-*/user.js settings; echo chatter; echo chatter >&2
                \(rest)
                """)
            return EphemeralFirefox(
                environment: ["PATH": "\(folder.path):/usr/bin:/bin", "XDG_RUNTIME_DIR": folder.path].merging(environment) { $1 })
        }

        @Test func `AR51 closing the window counts as the user's cancellation, and the profile is removed`() async throws {
            let folder = try ScriptFolder()
            let signIn = try await SignIn(opener: Self.firefox(in: folder, then: "exit 0"))
            #expect(await signIn.outcome.code == .cancelledByUser)
            #expect(try folder.read("mode") == "drwx------\n")
            let arguments = try folder.read("arguments").split(separator: "\n")
            #expect(arguments.first == "--profile")
            #expect(arguments[1].hasPrefix("\(folder.path)/authhub-browser-"))
            #expect(arguments[2..<5] == ["--no-remote", "--new-instance", "--private-window"])
            #expect(arguments.count == 6 && arguments[5].hasPrefix(signIn.origin + "/start/"))
            #expect(try EphemeralChromiumTests.profiles(in: folder) == [])
            #expect(await isFree(signIn.redirectURI))
        }

        @Test func `the settings turn off its own requests, and are valid for Firefox`() async throws {
            let folder = try ScriptFolder()
            _ = await (try SignIn(opener: Self.firefox(in: folder, then: "exit 0"))).outcome
            let lines = try folder.read("settings").split(separator: "\n").map(String.init)
            let value = /user_pref\("[A-Za-z0-9._-]+", (true|false|-?[0-9]+|"[A-Za-z0-9:,\/._-]*")\);/
            #expect(lines.filter { $0.wholeMatch(of: value) == nil } == [])
            for setting in [
                #"user_pref("browser.shell.checkDefaultBrowser", false);"#, #"user_pref("browser.aboutwelcome.enabled", false);"#,
                #"user_pref("datareporting.policy.dataSubmissionEnabled", false);"#, #"user_pref("app.update.auto", false);"#,
                #"user_pref("browser.startup.homepage_override.mstone", "ignore");"#,
            ] {
                #expect(lines.contains(setting))
            }
            #expect(Set(lines).count == lines.count)
        }

        @Test func `it inherits the environment without our secrets, and keeps its temporary files in its profile`() async throws {
            let folder = try ScriptFolder()
            let environment = ["AUTHHUB_STORE": "canary-1", "PGPASSWORD": "canary-2", "DISPLAY": ":7", "TMPDIR": "/var/tmp"]
            _ = await (try SignIn(opener: Self.firefox(in: folder, then: "exit 0", environment: environment))).outcome
            let inherited = try folder.read("environment")
            #expect(inherited.contains("DISPLAY=:7\n"))
            #expect(inherited.contains("TMPDIR=\(folder.path)/authhub-browser-"))
            #expect(!inherited.contains("canary"))
        }

        struct Failure: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let ending: String
            let code: WebAuthenticationError.Code
            let explanation: String
        }

        @Test(arguments: [
            Failure(
                testDescription: "it does not start", ending: "exit 1", code: .cannotShow, explanation: "firefox exited with status 1"),
            Failure(
                testDescription: "it crashes at startup", ending: "kill -5 $$", code: .cannotShow,
                explanation: "firefox was terminated by signal 5"),
            Failure(
                testDescription: "it is killed", ending: "cd authhub-browser-*; touch sessionCheckpoints.json; kill -9 $$",
                code: .browserVanished, explanation: "firefox was terminated by signal 9"),
            Failure(
                testDescription: "it loses its display", ending: "cd authhub-browser-*; touch sessionCheckpoints.json; exit 1",
                code: .browserVanished, explanation: "firefox exited with status 1"),
        ])
        func `a browser that fails does not count as a cancellation`(failure: Failure) async throws {
            let folder = try ScriptFolder()
            let signIn = try await SignIn(opener: Self.firefox(in: folder, then: failure.ending))
            guard case .failure(let error) = await signIn.outcome else {
                Issue.record("it was shown")
                return
            }
            #expect(error.code == failure.code)
            #expect(error.explanation == failure.explanation)
            #expect(try EphemeralChromiumTests.profiles(in: folder) == [])
        }

        @Test func `names a program that cannot be run, and leaves nothing`() async throws {
            let folder = try ScriptFolder()
            try folder.add("firefox", "no program", interpreter: "")
            let opener = EphemeralFirefox(environment: ["PATH": folder.path, "XDG_RUNTIME_DIR": folder.path])
            let error = await #expect(throws: WebAuthenticationError.self) { try await opener.open("https://as.example/") }
            #expect(error?.code == .cannotShow)
            #expect(error?.explanation == "\(folder.path)/firefox could not be started: Exec format error")
            #expect(try EphemeralChromiumTests.profiles(in: folder) == [])
        }

        @Test func `a cancelled sign-in ends it with all its child processes, and removes its profile`() async throws {
            let folder = try ScriptFolder()
            try folder.addPipe("pipe")
            let opener = try Self.firefox(in: folder, then: "(trap '' TERM; echo $$ > child; sleep 1000) & echo < pipe; wait")
            let signIn = try await SignIn(opener: opener)
            await folder.openPipe("pipe")
            signIn.cancel()
            #expect(await signIn.outcome.code == .cancelledByProgram)
            #expect(try EphemeralChromiumTests.profiles(in: folder) == [])
        }

        @Test func `a callback of a custom scheme arrives through the program that the profile names`() async throws {
            let folder = try ScriptFolder()
            let opener = try Self.firefox(
                in: folder,
                then: """
                    cp authhub-browser-*/handlers.json handlers
                    program=$(sed 's/.*"path":"\\([^"]*\\)".*/\\1/; s/\\\\//g' handlers)
                    "$program" mailto:a@b.example; "$program" 'com.example.app2:/callback2?state=wrong'
                    "$program" 'com.example.app2:/callback?code=c&state=right'; exec sleep 1000
                    """)
            let signIn = try await SignIn(method: .customScheme("com.example.App2"), opener: opener)
            let received = try await signIn.outcome.get()
            #expect(received.callback.url.reveal() == "com.example.App2:/callback?code=c&state=right")
            await signIn.clock.run { await received.conclude(.signedIn) }
            let settings = try folder.read("settings")
            #expect(settings.contains(#"user_pref("network.protocol-handler.external.com.example.app2", true);"#))
            #expect(settings.contains(#"user_pref("network.protocol-handler.external-default", false);"#))
            #expect(settings.contains(#"user_pref("browser.download.folderList", 2);"#))
            #expect(settings.contains(#"user_pref("browser.download.dir", "\#(folder.path)/authhub-browser-"#))
            #expect(try EphemeralChromiumTests.profiles(in: folder) == [])
        }

        @Test func `leaves no profile that could not be set up`() async throws {
            let folder = try ScriptFolder()
            try folder.addFolder("a:b")
            let opener = try Self.firefox(in: folder, then: "exit 0", environment: ["XDG_RUNTIME_DIR": "\(folder.path)/a:b"])
            let signIn = try await SignIn(method: .customScheme("com.example.app2"), opener: opener)
            #expect(await signIn.outcome.code == .cannotShow)
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/a:b") == [])
            #expect(!folder.contains("arguments"))
        }

        @Test func `rejects an https callback before anything is shown`() async throws {
            let folder = try ScriptFolder()
            let browser = BrowserAuthenticator(opener: try Self.firefox(in: folder, then: "exit 0"))
            let error = await #expect(throws: WebAuthenticationError.self) {
                _ = try await browser.prepare(.https(host: "app.example.com", path: "/callback"))
            }
            #expect(error?.code == .cannotReceive)
            #expect(!folder.contains("arguments"))
        }

        @Test func `without Firefox nothing is bound, and the error says what to install`() async throws {
            let folder = try ScriptFolder()
            let browser = BrowserAuthenticator(opener: EphemeralFirefox(environment: ["PATH": folder.path]))
            #expect(browser.capabilities == .init(callbacks: [.loopback, .customScheme], knowsCancel: true, isEphemeral: true))
            let error = await #expect(throws: WebAuthenticationError.self) { _ = try await browser.prepare(.loopback()) }
            #expect(error?.code == .cannotShow)
            #expect(error?.explanation?.contains("install firefox") == true)
        }

        @Test(arguments: ["http://as.example/", "--version", "https://as.example/ --version"])
        func `opens only https, or http on this machine`(url: String) async throws {
            let folder = try ScriptFolder()
            let opener = try Self.firefox(in: folder, then: "exit 0")
            let error = await #expect(throws: WebAuthenticationError.self) { try await opener.open(url) }
            #expect(error?.code == .cannotShow)
            #expect(!folder.contains("arguments"))
        }
    }
}
