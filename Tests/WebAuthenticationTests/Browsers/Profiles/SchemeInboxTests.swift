import AuthHubPrimitives
import AuthHubTesting
import Testing

@testable import WebAuthentication

extension SystemBrowserTests {
    /// Tests with scripts that simulate Chromium and pass on URLs in the same way.
    struct SchemeInboxTests {
        private static let right = "com.example.app2:/callback?code=c&state=right"

        /// A sign-in whose browser runs a script with the folder's path in `$here`.
        static func signIn(_ script: String, in folder: ScriptFolder, clock: TestClock = TestClock()) async throws -> SignIn {
            try folder.add("chromium", "here=\"$(dirname \"$0\")\"\n\(script)")
            for name in ["xdg-open", "xdg-email", "xdg-settings", "xdg-mime"] {
                try folder.add(name, #"echo "$0 $*" >> "$(dirname "$0")/started""#)
            }
            let opener = EphemeralChromium(environment: ["PATH": "\(folder.path):/usr/bin:/bin", "XDG_RUNTIME_DIR": folder.path])
            return try await SignIn(clock: clock, method: .customScheme("com.example.App2"), opener: opener)
        }

        struct Row: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let script: String
            var callback = SchemeInboxTests.right
        }

        static let rows = [
            Row(testDescription: "the callback", script: "xdg-open '\(right)'"),
            Row(
                testDescription: "a fragment and characters that a shell would interpret",
                script: #"xdg-open 'com.example.app2:/callback?a=$(id)&b=`id`;"%s%n\&state=right'"#,
                callback: #"com.example.app2:/callback?a=$(id)&b=`id`;"%s%n\&state=right"#),
            Row(testDescription: "after another path", script: "xdg-open 'com.example.app2:/other?state=right'; xdg-open '\(right)'"),
            Row(
                testDescription: "after other schemes",
                script: "xdg-open mailto:a@b; xdg-open com.example.app:/callback; xdg-open '\(right)'"),
            Row(testDescription: "after calls without a URL", script: "xdg-open; xdg-open ''; xdg-open '\(right)'"),
            Row(
                testDescription: "after a line break",
                script: "xdg-open \"com.example.app2:/callback?\n1\n&state=right\"; xdg-open '\(right)'"),
            Row(
                testDescription: "after a URL that is too long",
                script: "xdg-open \"com.example.app2:/callback?c=$(head -c 65536 /dev/zero | tr '\\0' c)&state=right\"; xdg-open '\(right)'"
            ),
            Row(
                testDescription: "after other programs' entries",
                script: #"echo ../../x > "$(dirname "$(command -v xdg-open)")/notes"; xdg-open '\#(right)'"#),
            Row(
                testDescription: "among many",
                script: "for i in 1 2 3 4 5 6 7 8 9; do xdg-open 'com.example.app2:/other?state='$i & done; wait; xdg-open '\(right)'"),
        ]

        @Test func `AR65 a callback with a different state ends the sign-in, although the right one follows`() async throws {
            let folder = try ScriptFolder()
            let signIn = try await Self.signIn(
                "xdg-open '\(Self.right)x'; xdg-open '\(Self.right)'\nexec sleep 1000", in: folder)
            let failure = await #expect(throws: WebAuthenticationError.self) { try await signIn.outcome.get() }
            #expect(failure?.code == .unexpectedCallback)
            #expect(try folder.profiles == [])
        }

        @Test(arguments: rows) func `accepts a callback from the browser's own xdg-open, and from nothing else`(_ row: Row) async throws {
            let folder = try ScriptFolder()
            let signIn = try await Self.signIn("\(row.script)\nexec sleep 1000", in: folder)
            #expect(signIn.redirectURI == "com.example.App2:/callback")
            let received = try await signIn.outcome.get()
            #expect(received.callback.url.reveal() == "com.example.App2" + row.callback.dropFirst("com.example.App2".count))
            await signIn.clock.run { await received.conclude(.signedIn) }
            #expect(try folder.profiles == [])
            #expect(!folder.contains("started"))
        }

        @Test func `the longest callback fits`() async throws {
            let folder = try ScriptFolder()
            let room = CallbackAddress.maximumBytes - "com.example.app2:/callback?c=&state=right".utf8.count
            let signIn = try await Self.signIn(
                "xdg-open \"com.example.app2:/callback?c=$(head -c \(room) /dev/zero | tr '\\0' c)&state=right\"\nexec sleep 1000",
                in: folder)
            #expect(try await signIn.outcome.get().callback.url.reveal().utf8.count == CallbackAddress.maximumBytes)
        }

        @Test func `only this user can read the URLs, and no page is asked about its origin's scheme`() async throws {
            let folder = try ScriptFolder()
            let signIn = try await Self.signIn(
                """
                cd "$here"/authhub-browser-*
                cat Default/Preferences > "$here/preferences"
                ls -ld . authhub authhub/* | cut -c1-10 > "$here/modes"
                exit 0
                """, in: folder)
            #expect(await signIn.outcome.code == .cancelledByUser)
            let preferences = try folder.read("preferences")
            #expect(
                preferences.contains(
                    #""protocol_handler":{"allowed_origin_protocol_pairs":{"https://as.example":{"com.example.app2":true}}}"#))
            // Downloads that a page starts must also stay in the profile.
            #expect(preferences.contains(#""download_restrictions":3"#))
            #expect(preferences.contains("/downloads\"") && preferences.contains("authhub-browser-"))
            #expect(try folder.read("modes").split(separator: "\n").allSatisfy { $0.hasSuffix("------") })
            #expect(try folder.profiles == [])
        }

        @Test func `a sign-in that times out closes its browser`() async throws {
            let folder = try ScriptFolder()
            try folder.addPipe("pipe")
            let signIn = try await Self.signIn(#"echo < "$here/pipe"; exec sleep 1000"#, in: folder)
            await folder.openPipe("pipe")
            await signIn.clock.untilAsleep()
            signIn.clock.advance(by: .seconds(300))
            #expect(await signIn.outcome.code == .timedOut)
            #expect(try folder.profiles == [])
        }

        @Test func `rejects a folder that cannot be in PATH`() async throws {
            let folder = try ScriptFolder()
            try folder.addFolder("a:b")
            try folder.add("chromium", "exit 0")
            let opener = EphemeralChromium(environment: ["PATH": "\(folder.path):/usr/bin:/bin", "XDG_RUNTIME_DIR": "\(folder.path)/a:b"])
            let signIn = try await SignIn(method: .customScheme("com.example.app2"), opener: opener)
            #expect(await signIn.outcome.code == .cannotShow)
        }
    }
}
