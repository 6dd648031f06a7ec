import AuthHubPrimitives
import AuthHubTesting
import Testing

@testable import WebAuthentication

extension SystemBrowserTests {
    /// Tests with scripts that simulate Chromium, and with the real one if it is installed.
    struct EphemeralChromiumTests {
        /// Creates a Chromium that records its arguments, and then runs the rest of a script.
        static func chromium(in folder: ScriptFolder, then rest: String) throws -> EphemeralChromium {
            try folder.add("chromium", #"for word in "$@"; do echo "$word"; done > "$(dirname "$0")/arguments"; \#(rest)"#)
            return EphemeralChromium(environment: ["PATH": "\(folder.path):/usr/bin:/bin", "XDG_RUNTIME_DIR": folder.path])
        }

        static func profiles(in folder: ScriptFolder) throws -> [String] {
            try folder.names.filter { $0.hasPrefix("authhub-browser-") }
        }

        @Test func `AR51 closing the window counts as the user's cancellation, and the profile is removed`() async throws {
            let folder = try ScriptFolder()
            let opener = try Self.chromium(
                in: folder, then: #"cd "$(dirname "$0")"; ls -ld authhub-browser-* | cut -c1-10 > mode; exit 0"#)
            let signIn = try await SignIn(opener: opener)
            #expect(await signIn.outcome.code == .cancelledByUser)
            #expect(try folder.read("mode") == "drwx------\n")
            let arguments = try folder.read("arguments").split(separator: "\n")
            #expect(arguments.last?.hasPrefix(signIn.origin + "/start/") == true)
            #expect(arguments[0].hasPrefix("--user-data-dir=\(folder.path)/authhub-browser-"))
            #expect(arguments.contains("--no-sandbox") == isRoot)
            #expect(try Self.profiles(in: folder) == [])
            #expect(await isFree(signIn.redirectURI))
        }

        @Test func `a browser that fails does not count as a cancellation`() async throws {
            let folder = try ScriptFolder()
            let signIn = try await SignIn(opener: Self.chromium(in: folder, then: "exit 4"))
            guard case .failure(let error) = await signIn.outcome else {
                Issue.record("it was shown")
                return
            }
            #expect(error.code == .cannotShow)
            #expect(error.explanation == "chromium exited with status 4")
        }

        @Test(arguments: [
            ("a signal before there was a window", "kill -9 $$", WebAuthenticationError.Code.cannotShow),
            ("a signal after it", #"cd "$(dirname "$0")"/authhub-browser-*; touch "Last Version"; kill -9 $$"#, .browserVanished),
            ("a status after it", #"cd "$(dirname "$0")"/authhub-browser-*; touch "Last Version"; exit 4"#, .browserVanished),
            ("a normal exit after it", #"cd "$(dirname "$0")"/authhub-browser-*; touch "Last Version"; exit 0"#, .cancelledByUser),
        ])
        func `a browser that exits after it was shown has vanished`(
            _ description: String, script: String, code: WebAuthenticationError.Code
        ) async throws {
            let folder = try ScriptFolder()
            let signIn = try await SignIn(opener: Self.chromium(in: folder, then: script))
            #expect(await signIn.outcome.code == code)
            #expect(try Self.profiles(in: folder) == [])
        }

        @Test func `a cancelled sign-in closes its window and removes its profile`() async throws {
            let folder = try ScriptFolder()
            try folder.addPipe("pipe")
            let signIn = try await SignIn(opener: Self.chromium(in: folder, then: #"echo < "$(dirname "$0")/pipe"; exec sleep 1000"#))
            await folder.openPipe("pipe")
            signIn.cancel()
            #expect(await signIn.outcome.code == .cancelledByProgram)
            #expect(try Self.profiles(in: folder) == [])
        }

        @Test func `the next sign-in removes what a killed one left behind`() async throws {
            let folder = try ScriptFolder()
            let ended = ProcessIdentity(processID: 999_999_999, started: 1)
            let names = [ended, try #require(.ours)].map {
                OrphanedProfiles.Name(namespace: OrphanedProfiles.namespace, maker: $0, random: 1).description
            }
            for name in names { try folder.addFolder(name) }
            try folder.addFolder("authhub-other")
            let signIn = try await SignIn(opener: Self.chromium(in: folder, then: "exit 0"))
            _ = await signIn.outcome
            #expect(try Self.profiles(in: folder) == [names[1]])
            #expect(folder.contains("authhub-other"))
        }

        @Test func `without Chromium nothing is bound, and the error says what to install`() async throws {
            let folder = try ScriptFolder()
            let browser = BrowserAuthenticator(opener: EphemeralChromium(environment: ["PATH": folder.path]))
            #expect(browser.capabilities == .init(callbacks: [.loopback, .customScheme, .https], knowsCancel: true, isEphemeral: true))
            let error = await #expect(throws: WebAuthenticationError.self) { _ = try await browser.prepare(.loopback()) }
            #expect(error?.code == .cannotShow)
            #expect(error?.explanation?.contains("install chromium") == true)
        }
    }
}
