import Testing

@testable import WebAuthentication

struct BrowserProgramTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let path: String
        var target: String?
        var script: String?
        let packaging: BrowserProgram.Packaging
    }

    @Test(arguments: [
        Row(
            testDescription: "a package of the system", path: "/usr/bin/firefox-esr", target: "/usr/lib/firefox-esr/firefox-esr",
            packaging: .native),
        Row(
            testDescription: "a script of the system", path: "/usr/bin/chromium",
            script: "#!/bin/sh\nexec $LIBDIR/$APPNAME $CHROMIUM_FLAGS \"$@\"\n", packaging: .native),
        Row(testDescription: "a Snap", path: "/snap/bin/chromium", target: "/usr/bin/snap", packaging: .snap("chromium")),
        Row(
            testDescription: "a Snap on Fedora", path: "/var/lib/snapd/snap/bin/firefox", target: "/usr/bin/snap",
            packaging: .snap("firefox")),
        Row(
            testDescription: "a program of a Snap", path: "/snap/bin/chromium.chromedriver", target: "/usr/bin/snap",
            packaging: .snap("chromium")),
        Row(
            testDescription: "inside a Snap", path: "/snap/firefox/current/usr/lib/firefox/firefox", packaging: .snap("firefox")),
        Row(
            testDescription: "a link to a Snap", path: "/usr/local/bin/browser", target: "/snap/bin/brave", packaging: .snap("brave")),
        Row(
            testDescription: "Ubuntu's script for its Snap", path: "/usr/bin/firefox",
            script: "#!/bin/sh\nif ! [ -x /snap/bin/firefox ]; then\n  exit 1\nfi\nexec /snap/bin/firefox \"$@\"\n",
            packaging: .snap("firefox")),
        Row(
            testDescription: "a Flatpak", path: "/var/lib/flatpak/exports/bin/org.mozilla.firefox",
            script: "#!/bin/sh\nexec /usr/bin/flatpak run --branch=stable org.mozilla.firefox \"$@\"\n", packaging: .flatpak),
        Row(
            testDescription: "a script for a Flatpak", path: "/usr/local/bin/firefox",
            script: "#!/bin/sh\nflatpak run org.mozilla.firefox \"$@\"\n", packaging: .flatpak),
        Row(testDescription: "a folder called snap", path: "/opt/snap/firefox", packaging: .native),
        Row(
            testDescription: "a script with only the Snap folder", path: "/opt/firefox", script: "#!/bin/sh\nls /snap/bin/\n",
            packaging: .native),
    ])
    func `recognizes a browser's packaging from its path, its link target and its script`(row: Row) {
        #expect(BrowserProgram.Packaging(path: row.path, target: row.target ?? row.path, script: row.script) == row.packaging)
    }

    @Test func `a Snap gets a profile in its common folder`() throws {
        let folder = try ScriptFolder()
        try folder.add("firefox", #"exec /snap/bin/firefox "$@""#)
        let environment = ["PATH": folder.path, "HOME": folder.path, "XDG_RUNTIME_DIR": "/run/user/1", "TMPDIR": "/var/tmp"]
        let program = try EphemeralFirefox.find(in: environment)
        #expect(try program.profileFolders(environment) == ["\(folder.path)/snap/firefox/common"])
        #expect(folder.contains("snap/firefox/common"))
        let error = #expect(throws: WebAuthenticationError.self) { try program.profileFolders(["HOME": ""]) }
        #expect(error?.code == .cannotShow)
        #expect(error?.explanation == "firefox is a Snap, which needs a home folder, and HOME is not set")
    }

    @Test func `others get it in the first temporary folder that is set`() throws {
        let folder = try ScriptFolder()
        try folder.add("firefox", "")
        let program = try EphemeralFirefox.find(in: ["PATH": folder.path])
        #expect(
            try program.profileFolders(["XDG_RUNTIME_DIR": "/run/user/1", "TMPDIR": "/var/tmp"]) == ["/run/user/1", "/var/tmp", "/tmp"])
        #expect(try program.profileFolders(["XDG_RUNTIME_DIR": "", "TMPDIR": "/tmp"]) == ["/tmp"])
        #expect(try program.profileFolders(["TMPDIR": "relative"]) == ["/tmp"])
    }

    @Test func `skips a Flatpak, and rejects it if there is nothing else`() throws {
        let folder = try ScriptFolder()
        try folder.add("firefox", #"exec flatpak run org.mozilla.firefox "$@""#)
        let error = #expect(throws: WebAuthenticationError.self) { try EphemeralFirefox.find(in: ["PATH": folder.path]) }
        #expect(error?.code == .cannotShow)
        #expect(error?.explanation?.contains("firefox is a Flatpak") == true)
        let other = try folder.add("firefox-esr", "")
        #expect(try EphemeralFirefox.find(in: ["PATH": folder.path]).path == other)
    }
}
