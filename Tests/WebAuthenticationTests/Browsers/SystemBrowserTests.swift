import AuthHubTesting
import Testing

@testable import WebAuthentication

/// The tests run one after the other: a script cannot be run while a process that another test is starting still has it open for writing.
@Suite(.serialized)
struct SystemBrowserTests {
    static let url = "https://as.example/authorize?client_id=c&state=s"

    struct Choice: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var command: String?
        var environment: [String: String] = [:]
        let installed: [String]
        /// The program that opened the page, and its arguments.
        let opened: String
    }

    #if os(Linux)
    static let systemChoices = [
        Choice(testDescription: "xdg-open", installed: ["gio", "xdg-open", "wslview"], opened: "xdg-open \(url)"),
        Choice(testDescription: "gio if xdg-open is missing", installed: ["gio"], opened: "gio open \(url)"),
        Choice(
            testDescription: "wslview under WSL", environment: ["WSL_DISTRO_NAME": "Debian"], installed: ["wslview", "xdg-open"],
            opened: "wslview \(url)"),
        Choice(
            testDescription: "explorer.exe under WSL without wslview", environment: ["WSL_DISTRO_NAME": "Debian"],
            installed: ["explorer.exe", "rundll32.exe", "xdg-open"], opened: "explorer.exe \(url)"),
        Choice(
            testDescription: "rundll32.exe under WSL without either", environment: ["WSL_INTEROP": "/run/WSL/1"],
            installed: ["rundll32.exe", "xdg-open"], opened: "rundll32.exe url.dll,FileProtocolHandler \(url)"),
        Choice(
            testDescription: "Windows programs only under WSL", installed: ["wslview", "explorer.exe", "rundll32.exe", "xdg-open"],
            opened: "xdg-open \(url)"),
        Choice(
            testDescription: "xdg-open under WSL without wslview", environment: ["WSL_DISTRO_NAME": "Debian"], installed: ["xdg-open"],
            opened: "xdg-open \(url)"),
        Choice(
            testDescription: "an empty BROWSER counts as unset", environment: ["BROWSER": ""], installed: ["xdg-open"],
            opened: "xdg-open \(url)"),
    ]
    #else
    static let systemChoices: [Choice] = []
    #endif

    static let choices =
        systemChoices + [
            Choice(
                testDescription: "the given command before all others", command: "mine",
                environment: ["AUTHHUB_BROWSER": "theirs", "BROWSER": "other"], installed: ["mine", "theirs", "other", "xdg-open"],
                opened: "mine \(url)"),
            Choice(
                testDescription: "AUTHHUB_BROWSER before BROWSER", environment: ["AUTHHUB_BROWSER": "theirs", "BROWSER": "other"],
                installed: ["theirs", "other", "xdg-open"], opened: "theirs \(url)"),
            Choice(
                testDescription: "BROWSER before the system's opener", environment: ["BROWSER": "other"], installed: ["other", "xdg-open"],
                opened: "other \(url)"),
            Choice(
                testDescription: "the first existing command of BROWSER", environment: ["BROWSER": "missing:other"],
                installed: ["other"], opened: "other \(url)"),
            Choice(
                testDescription: "a list with a placeholder, as xdg-open understands it",
                environment: ["BROWSER": "missing --new %s::other --url=%s -x:third"], installed: ["other", "third"],
                opened: "other --url=\(url) -x"),
            Choice(
                testDescription: "a list without a placeholder", environment: ["BROWSER": "missing:other -x:third %s"],
                installed: ["other", "third"], opened: "other -x \(url)"),
            Choice(
                testDescription: "arguments and a placeholder for the URL", command: "mine --new-window '--profile=a b' --url=%s 100%%",
                installed: ["mine"], opened: "mine --new-window --profile=a b --url=\(url) 100%"),
        ]

    @Test(arguments: choices)
    func `the command is the first that is set and exists`(choice: Choice) async throws {
        let folder = try ScriptFolder()
        for name in choice.installed { try folder.add(name, #"echo "${0##*/} $*" >> "$(dirname "$0")/opened""#) }
        let environment = choice.environment.merging(["PATH": "\(folder.path):/usr/bin:/bin"]) { $1 }
        let browser = SystemBrowser(command: choice.command, environment: environment)
        let isFake = choice.installed.contains(String(choice.opened.prefix { $0 != " " }))
        try #require(isFake)
        try await browser.open(Self.url)
        #expect(try folder.read("opened") == choice.opened + "\n")
    }

    @Test func `a browser that cannot reach the start URL gets a sign-out page without the user's ID token`() async throws {
        let folder = try ScriptFolder()
        try folder.add("editor", #"echo "$*" > "$(dirname "$0")/opened""#)
        let browser = SystemBrowser(
            environment: ["VSCODE_IPC_HOOK_CLI": "x", "BROWSER": "editor", "PATH": folder.path + ":/usr/bin:/bin"])
        let page = try ShownURL("https://as.example/logout?client_id=c&id_token_hint=secret&state=s")
        _ = try await browser.openWindow(PageToShow(openly: page))
        #expect(try folder.read("opened") == "https://as.example/logout?client_id=c&state=s\n")
    }

    @Test func `a program with a space in its path needs no quotes`() async throws {
        let folder = try ScriptFolder()
        let script = try folder.add("my browser", #"echo "$1" > "$(dirname "$0")/opened""#)
        try await SystemBrowser(command: script, environment: ["PATH": "/usr/bin:/bin"]).open(Self.url)
        #expect(try folder.read("opened") == Self.url + "\n")
    }

    @Test func `a URL full of shell characters arrives as one argument, unchanged`() async throws {
        let folder = try ScriptFolder()
        let script = try folder.add("browser", #"for word in "$@"; do printf '%s\n' "$word"; done > "$(dirname "$0")/opened""#)
        let url = "https://as.example/a?b=$(touch%20x)&c=$$;exit&d='e'*!~&&?f=%25s"
        try await SystemBrowser(command: script, environment: ["PATH": "/usr/bin:/bin"]).open(url)
        #expect(try folder.read("opened") == url + "\n")
    }

    @Test func `the browser gets none of our streams, no descriptor and a separate process group`() async throws {
        let folder = try ScriptFolder()
        let script = try folder.add(
            "browser",
            """
            cd "$(dirname "$0")"
            for stream in 0 1 2; do readlink /proc/$$/fd/$stream; done > streams
            for descriptor in /proc/$$/fd/*; do readlink "$descriptor"; done | grep -c -e socket -e eventpoll > others
            ps -o pgid= -p $$ | tr -d ' ' > group; echo $$ >> group
            echo chatter; echo chatter >&2
            """)
        let attempt = try await BrowserAuthenticator(opener: IdleOpener()).prepare(.loopback())
        try await SystemBrowser(command: script, environment: ["PATH": "/usr/bin:/bin"]).open(Self.url)
        #if os(Linux)
        #expect(try folder.read("others") == "0\n")
        #expect(try folder.read("streams").split(separator: "\n").allSatisfy { $0 == "/dev/null" || $0.hasSuffix("/streams") })
        #endif
        let group = try folder.read("group").split(separator: "\n")
        #expect(group.count == 2 && group[0] == group[1])
        await attempt.close()
    }

    @Test func `the browser inherits none of our variables but AUTHHUB_BROWSER, and none that leads to other secrets`() async throws {
        let folder = try ScriptFolder()
        let script = try folder.add("browser", #"env > "$(dirname "$0")/environment""#)
        let environment = [
            "PATH": "/usr/bin:/bin", "DISPLAY": ":7", "AUTHHUB_BROWSER": "theirs", "AUTHHUB_STORE": "postgresql://me:canary-1@db/tokens",
            "AUTHHUB_HEADLESS_PASSWORD": "canary-2", "AUTHHUB_KEY_FILE": "/canary-3", "AUTHHUB_PASSPHRASE_FILE": "/canary-4",
            "AUTHHUB_OF_TOMORROW": "canary-5", "PGPASSWORD": "canary-6", "PGPASSFILE": "/canary-7", "PGSERVICE": "canary-8",
            "CREDENTIALS_DIRECTORY": "/canary-9",
        ]
        try await SystemBrowser(command: script, environment: environment).open(Self.url)
        let inherited = try folder.read("environment")
        #expect(inherited.contains("DISPLAY=:7") && inherited.contains("AUTHHUB_BROWSER=theirs"))
        #expect(!inherited.contains("canary"))
    }

    struct Failure: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let command: String
        let explanation: String
    }

    @Test(arguments: [
        Failure(testDescription: "an exit status", command: "fails", explanation: "fails exited with status 3"),
        Failure(testDescription: "a signal", command: "dies", explanation: "dies was terminated by signal 9"),
        Failure(testDescription: "a missing program", command: "missing --flag", explanation: "missing is not installed"),
        Failure(
            testDescription: "a missing file", command: "/missing/browser --flag", explanation: "the file /missing/browser does not exist"),
        Failure(testDescription: "a folder", command: "/usr", explanation: "/usr is not an executable file"),
        Failure(testDescription: "switched off", command: "none", explanation: "browsers are disabled"),
        Failure(testDescription: "no command", command: "  ", explanation: "is not a command"),
        Failure(testDescription: "an unterminated quote", command: "browser 'a", explanation: "has an unclosed quote"),
        Failure(testDescription: "not a program", command: "text", explanation: "text could not be started (Exec format error)"),
    ])
    func `names a command that cannot show the page, with the reason`(failure: Failure) async throws {
        let folder = try ScriptFolder()
        try folder.add("fails", "exit 3")
        try folder.add("dies", "kill -9 $$")
        try folder.add("text", "no program", interpreter: "")
        let browser = SystemBrowser(command: failure.command, environment: ["PATH": "\(folder.path):/usr/bin:/bin"])
        let error = await #expect(throws: WebAuthenticationError.self) { try await browser.open(Self.url) }
        #expect(error?.code == .cannotShow)
        #expect(error?.explanation?.contains(failure.explanation) == true)
        #expect(error?.description.contains("as.example") == false)
    }

    #if os(Linux)
    @Test(arguments: [
        ("explorer.exe", 1, "opened-by-explorer.exe"), ("explorer.exe", 2, "opened-by-rundll32.exe"),
        ("wslview", 1, "opened-by-rundll32.exe"),
    ])
    func `status 1 of explorer.exe counts as success, and no other`(program: String, status: Int, opened: String) async throws {
        let folder = try ScriptFolder()
        for name in [program, "rundll32.exe"] {
            try folder.add(name, #"echo > "${0%/*}/opened-by-${0##*/}"; exit \#(name == program ? status : 0)"#)
        }
        try await SystemBrowser(environment: ["PATH": folder.path, "WSL_DISTRO_NAME": "Debian"]).open(Self.url)
        #expect(folder.contains(opened))
        #expect(folder.contains("opened-by-rundll32.exe") == (opened == "opened-by-rundll32.exe"))
    }

    @Test func `a browser found by its name opens the page if nothing else does`() async throws {
        let folder = try ScriptFolder()
        try folder.add("xdg-open", "exit 3")
        try folder.add("firefox-esr", #"echo "$1" > "${0%/*}/opened""#)
        let browser = SystemBrowser(environment: ["PATH": folder.path])
        #expect(try browser.programName() == "xdg-open")
        try await browser.open(Self.url)
        #expect(try folder.read("opened") == Self.url + "\n")
    }
    #endif

    @Test func `names every command that failed`() async throws {
        let folder = try ScriptFolder()
        try folder.add("first", "exit 3")
        let browser = SystemBrowser(environment: ["PATH": "\(folder.path):/usr/bin:/bin", "BROWSER": "first:second"])
        let error = await #expect(throws: WebAuthenticationError.self) { try await browser.open(Self.url) }
        #expect(error?.explanation?.hasPrefix("first exited with status 3; second is not installed;") == true)
    }

    @Test(arguments: [
        "http://as.example/authorize", "file:///etc/passwd", "javascript:alert(1)", "--version", "", "https://", "https://user@as.example/",
        "https://as.example/a b", "https://as.example/\n", "https://as.example/#\u{1B}[0m", "https://as.example\\@evil.example/",
        "http://127.0.0.1.evil.example/",
    ])
    func `opens only https, or http on this machine`(url: String) async throws {
        let folder = try ScriptFolder()
        let script = try folder.add("browser", #"touch "$(dirname "$0")/opened""#)
        let browser = SystemBrowser(command: script, environment: ["PATH": "/usr/bin:/bin"])
        let error = await #expect(throws: WebAuthenticationError.self) { try await browser.open(url) }
        #expect(error?.code == .cannotShow)
        #expect(!folder.contains("opened"))
    }

    @Test(arguments: ["http://127.0.0.1:8080/authorize", "http://localhost:8080/", "http://[::1]:8080/", "https://as.example/#fragment"])
    func `opens http on this machine`(url: String) async throws {
        let folder = try ScriptFolder()
        let script = try folder.add("browser", #"echo "$1" > "$(dirname "$0")/opened""#)
        try await SystemBrowser(command: script, environment: ["PATH": "/usr/bin:/bin"]).open(url)
        #expect(try folder.read("opened") == url + "\n")
    }

    @Test func `does not wait for a browser that stays open`() async throws {
        let folder = try ScriptFolder()
        let script = try folder.add("browser", #"echo $$ > "$0.pid"; read line < "$0.pipe""#)
        try folder.addPipe("browser.pipe")
        let clock = TestClock()
        let opening = Task { try await SystemBrowser(command: script, environment: ["PATH": "/usr/bin:/bin"], clock: clock).open(Self.url) }
        await clock.untilAsleep()
        clock.advance(by: .seconds(2))
        try await opening.value
        await folder.openPipe("browser.pipe")
    }

    @Test func `a cancelled opening ends at once, and does not affect the browser`() async throws {
        let folder = try ScriptFolder()
        let script = try folder.add("browser", #"read line < "$0.pipe"; echo "$line" > "$0.end""#)
        try folder.addPipe("browser.pipe")
        let clock = TestClock()
        let opening = Task { try await SystemBrowser(command: script, environment: ["PATH": "/usr/bin:/bin"], clock: clock).open(Self.url) }
        await clock.untilAsleep()
        opening.cancel()
        try await opening.value
        await folder.openPipe("browser.pipe")
    }
}
