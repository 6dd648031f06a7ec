import Platform
@testable import AuthHubCommand
import ArgumentParser
import AuthHubPrimitives
import Testing

struct DoctorCheckTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let environment: [String: String]
        /// The sockets at which something listens; abstract ones begin with @.
        var sockets: [String] = []
        let state: Finding.State
        let says: String

        init(
            _ description: String, _ environment: [String: String], listening sockets: [String] = [], _ state: Finding.State, _ says: String
        ) {
            (testDescription, self.environment, self.sockets, self.state, self.says) = (description, environment, sockets, state, says)
        }

        var checks: DesktopChecks {
            DesktopChecks(
                environment: environment,
                connect: { [sockets] path, isAbstract in sockets.contains((isAbstract ? "@" : "") + path) ? nil : "no socket" })
        }
    }

    /// A finding that is not ok says what to type.
    private func expect(_ finding: Finding, _ state: Finding.State, _ says: String) {
        #expect(finding.state == state && finding.text.contains(says), "\(finding)")
        #expect((finding.next == nil) == (state == .ok), "\(finding)")
    }

    @Test(arguments: [
        Row("no display", [:], .warn, "neither DISPLAY"),
        Row("X11", ["DISPLAY": ":3.0"], listening: ["/tmp/.X11-unix/X3"], .ok, "X11 at :3.0"),
        Row("X11 without a file", ["DISPLAY": ":3"], listening: ["@/tmp/.X11-unix/X3"], .ok, "X11 at :3"),
        Row("X11 that has ended", ["DISPLAY": ":3"], .fail, "nothing listens at /tmp/.X11-unix/X3"),
        Row("X11 of another machine", ["DISPLAY": "localhost:10.0"], .ok, "forwarded"),
        Row(
            "Wayland", ["WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": "/run/me"], listening: ["/run/me/wayland-0"], .ok,
            "/run/me/wayland-0"),
        Row(
            "Wayland that has ended", ["WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": "/run/me", "DISPLAY": ":3"], .fail,
            "WAYLAND_DISPLAY"),
    ])
    func `a display is one at which something listens`(row: Row) { expect(row.checks.display, row.state, row.says) }

    @Test(arguments: [
        Row("no bus", ["XDG_RUNTIME_DIR": "/run/me"], .warn, "there is no message bus"),
        Row("the bus of systemd", ["XDG_RUNTIME_DIR": "/run/me"], listening: ["/run/me/bus"], .ok, "/run/me/bus"),
        Row("a named bus", ["DBUS_SESSION_BUS_ADDRESS": "autolaunch:;unix:path=/b,guid=1"], listening: ["/b"], .ok, "/b"),
        Row("an abstract bus", ["DBUS_SESSION_BUS_ADDRESS": "unix:abstract=/b"], listening: ["@/b"], .ok, "/b"),
        Row("a bus that has ended", ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/b"], .fail, "nothing listens there"),
        Row("a bus on the network", ["DBUS_SESSION_BUS_ADDRESS": "tcp:host=a"], .fail, "network address"),
    ])
    func `a message bus is one at which something listens`(row: Row) { expect(row.checks.bus, row.state, row.says) }

    @Test(arguments: [
        Row("no browser", ["PATH": "/nowhere"], .warn, "display"),
        Row("a browser that is not installed", ["AUTHHUB_BROWSER": "/nowhere/browser"], .fail, "AUTHHUB_BROWSER is “/nowhere/browser”"),
        Row("a browser by command", ["AUTHHUB_BROWSER": "/bin/true"], .ok, ""),
        Row("a CI run", ["CI": "true", "DISPLAY": ":3"], .warn, "CI"),
    ])
    func `the browser is the one that a sign-in would choose`(row: Row) { expect(row.checks.browser, row.state, row.says) }

    @Test func `the program has to be the one in PATH`() throws {
        let folder = try TestFolder()
        let own = try Self.program("authhub", in: folder)
        let other = try TestFolder()
        _ = try Self.program("authhub", in: other)
        let rows: [([String], Finding.State, String)] = [
            ([folder.path], .ok, own), ([], .warn, "not in PATH"),
            ([other.path, folder.path], .warn, "another one, \(other.path)/authhub"),
        ]
        for (folders, state, says) in rows {
            expect(ProgramChecks(folders: folders, own: own, git: Self.git([])).program, state, says)
        }
    }

    @Test func `git's helper has to exist`() async throws {
        let folder = try TestFolder()
        let own = try Self.program("authhub", in: folder)
        let git = try TestFolder()
        _ = try Self.program("git", in: git)
        let rows: [([String], [String], Finding.State, String)] = [
            ([], [], .ok, "not installed"), ([git.path], [], .ok, "does not ask this tool"),
            ([git.path], listening: ["credential.helper store"], .ok, "does not ask this tool"),
            ([git.path], listening: ["credential.https://a.example.helper \(own) helper git --as work"], .ok, "asks this tool"),
            ([git.path], listening: ["credential.helper /nowhere/authhub helper git"], .fail, "git runs /nowhere/authhub"),
            ([git.path], listening: ["credential.helper authhub"], .fail, "git-credential-authhub, which is not in PATH"),
        ]
        for (folders, entries, state, says) in rows {
            expect(await ProgramChecks(folders: folders, own: own, git: Self.git(entries)).gitFinding(), state, says)
        }
        let broken = ProgramChecks(folders: [git.path], own: own) { () async throws(Failure) in throw .interrupted }
        expect(await broken.gitFinding(), .fail, "interrupted")
    }

    private static func git(_ entries: [String]) -> @Sendable () async throws(Failure) -> (version: String, entries: [String]) {
        { () async throws(Failure) in ("git version 2", entries) }
    }

    private static func program(_ name: String, in folder: TestFolder) throws -> String {
        let path = try folder.write("#!/bin/sh\n", to: name)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        return path
    }

    @Test(arguments: [
        ([:], nil, nil, Finding.State.ok, "none is set"), (["HTTPS_PROXY": "http://proxy.example:1"], nil, nil, .ok, "proxy.example:1"),
        (["HTTPS_PROXY": "http://proxy.example:1"], nil, "refused", .fail, "proxy.example:1 cannot be reached: refused"),
        (["HTTPS_PROXY": "http://mona:canary@proxy.example"], nil, nil, .fail, "HTTPS_PROXY has no port"),
        ([:], "ftp://canary", nil, .fail, "--proxy"),
    ])
    func `the proxy has to be usable`(
        environment: [String: String], option: String?, problem: String?, state: Finding.State, says: String
    ) async throws {
        let options = try NetworkOptions.parse(option.map { ["--proxy", $0] } ?? [])
        let finding = await NetworkChecks(environment: environment, options: options, connect: { _, _ in problem }).proxy()
        expect(finding, state, says)
        #expect(!"\(finding)".contains("canary"))
    }

    @Test(arguments: [
        ([:], ["/etc/passwd"], Finding.State.ok, "of this system"), ([:], listening: ["/nowhere"], .fail, "no certificate authorities"),
        (["SSL_CERT_FILE": "/nowhere"], listening: ["/etc/passwd"], .fail, "SSL_CERT_FILE names /nowhere"),
    ])
    func `there have to be certificate authorities`(
        environment: [String: String], bundles: [String], state: Finding.State, says: String
    ) throws {
        let checks = NetworkChecks(environment: environment, options: try NetworkOptions.parse([]), bundles: bundles)
        expect(checks.certificates, state, says)
    }

    @Test func `the ports of the loopback interface have to be free`() throws {
        let options = try NetworkOptions.parse([])
        func finding(failing port: Int?) -> Finding {
            NetworkChecks(environment: [:], options: options, listen: { $0 == port ? "in use" : nil }).loopback(["work": 4711])
        }
        expect(finding(failing: nil), .ok, "127.0.0.1")
        expect(finding(failing: 0), .fail, "no port can be opened at 127.0.0.1")
        expect(finding(failing: 4711), .warn, "port 4711, to which browsers return for “work”")
        #expect(SocketProbe.listen(port: 0) == nil)
    }

    @Test(arguments: [
        (nil, Finding.State.ok, "does not tell"), (0.0, .ok, "the clocks agree"), (20.0, .ok, "20 s ahead"), (-90.0, .warn, "90 s behind"),
        (3600.0, .fail, "60 min ahead"), (-86_400.0, .fail, "24 h behind"),
    ])
    func `the clock has to agree with that of a server`(seconds: Double?, state: Finding.State, says: String) {
        let now = Date(timeIntervalSince1970: 1_000_000_000)
        let origin = Origin(scheme: "https", host: "as.example", port: 443)
        expect(NetworkChecks.clock(of: origin, seconds.map { now - $0 }, now: now), state, says)
    }

    @Test func `connecting to nothing fails with the reason`() async throws {
        let folder = try TestFolder()
        #expect(SocketProbe.connect(to: "\(folder.path)/nothing") == "No such file or directory")
        #expect(SocketProbe.connect(to: "authhub-test-nothing", isAbstract: true) != nil)
        #expect(SocketProbe.connect(to: String(repeating: "a", count: 200)) == "the path is too long")
        #expect(await SocketProbe.connect(to: "host.invalid", port: 1) == "no address was found for the host")
    }
}
