/// Whether a browser can be opened, and whether it can reach this machine's loopback address.
package struct BrowserReach: Sendable, Hashable {
    /// Whether a page can be shown to the user.
    package let canOpen: Bool
    /// Whether the user's browser can reach 127.0.0.1 of this machine.
    package let reachesLoopback: Bool
    /// The reason, for the user.
    package let reason: String

    /// Whether a sign-in with a loopback callback can work.
    package var allowsLoopbackSignIn: Bool { canOpen && reachesLoopback }
}

extension BrowserReach {
    /// Reads the environment.
    ///
    /// - Parameters:
    ///   - environment: The environment variables of the process.
    ///   - isMac: Whether this is a Mac, where a local session always has a browser.
    ///   - isContainer: Whether other signs indicate a container, such as the file `/.dockerenv`.
    package init(environment: [String: String], isMac: Bool = Self.runsOnMac, isContainer: Bool = false) {
        self =
            Self.rules.lazy.compactMap { $0(Dependencies(environment: environment, isMac: isMac, isContainer: isContainer)) }.first
            ?? Self(canOpen: false, reachesLoopback: false, reason: "there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set")
    }

    /// Whether this build runs on a Mac.
    package static var runsOnMac: Bool {
        #if os(macOS)
        true
        #else
        false
        #endif
    }

    private struct Dependencies {
        let environment: [String: String]
        let isMac: Bool
        let isContainer: Bool

        func has(_ names: String...) -> Bool { names.contains { environment.nonEmpty($0) != nil } }
        func isTrue(_ name: String) -> Bool { environment.nonEmpty(name).map { !["0", "false"].contains($0.lowercased()) } ?? false }
    }

    /// The first rule with a result decides: first the user's settings, then where the user is, then the available displays.
    private static let rules: [@Sendable (Dependencies) -> BrowserReach?] = [
        { here in
            guard let command = here.environment.nonEmpty("AUTHHUB_BROWSER") else { return nil }
            return command == "none"
                ? Self(canOpen: false, reachesLoopback: false, reason: "browsers are disabled: AUTHHUB_BROWSER is “none”")
                : Self(canOpen: true, reachesLoopback: true, reason: "AUTHHUB_BROWSER names the browser to use")
        },
        { here in
            guard here.isTrue("CODESPACES") else { return nil }
            return Self(
                canOpen: false, reachesLoopback: false,
                reason: "this is a codespace: the browser runs on your own machine and does not reach 127.0.0.1 here")
        },
        { here in
            guard here.has("VSCODE_IPC_HOOK_CLI"), here.has("BROWSER") else { return nil }
            return here.isTrue("REMOTE_CONTAINERS") || here.has("SSH_CONNECTION", "SSH_TTY")
                ? Self(canOpen: true, reachesLoopback: true, reason: "the remote editor opens the browser and forwards the port")
                : Self(
                    canOpen: true, reachesLoopback: false, reason: "the remote editor opens a browser that does not reach 127.0.0.1 here")
        },
        { here in
            guard here.isTrue("CI") else { return nil }
            return Self(
                canOpen: false, reachesLoopback: false, reason: "this is a CI run (CI is set): there is no user in front of a browser")
        },
        { here in
            guard here.has("DISPLAY", "WAYLAND_DISPLAY"), !here.isMac else { return nil }
            return here.has("SSH_CONNECTION", "SSH_TTY")
                ? Self(canOpen: true, reachesLoopback: true, reason: "the SSH session forwards a display: the browser runs on this machine")
                : Self(canOpen: true, reachesLoopback: true, reason: "there is a display")
        },
        { here in
            guard here.has("SSH_CONNECTION", "SSH_TTY") else { return nil }
            return Self(
                canOpen: false, reachesLoopback: false,
                reason: "this is an SSH session without a display: a browser on your own machine does not reach 127.0.0.1 here")
        },
        { here in
            guard here.environment.isWSL else { return nil }
            return Self(canOpen: true, reachesLoopback: true, reason: "this is WSL: the Windows browser reaches 127.0.0.1 here")
        },
        { here in
            // Unlike in an SSH session, where a variable of the user's profile means a browser on this machine, which has no display.
            guard here.has("BROWSER"), !here.isMac else { return nil }
            return Self(canOpen: true, reachesLoopback: true, reason: "BROWSER names the browser to use")
        },
        { here in
            guard here.isContainer || here.isTrue("REMOTE_CONTAINERS") || here.has("container", "KUBERNETES_SERVICE_HOST") else {
                return nil
            }
            return Self(
                canOpen: false, reachesLoopback: false,
                reason: "this is a container without a display: a browser outside does not reach 127.0.0.1 here")
        },
        { here in
            guard here.isMac else { return nil }
            return Self(canOpen: true, reachesLoopback: true, reason: "this is a Mac with its own browser")
        },
    ]
}

extension [String: String] {
    /// Whether this is Linux inside Windows (WSL).
    var isWSL: Bool { nonEmpty("WSL_DISTRO_NAME") != nil || nonEmpty("WSL_INTEROP") != nil }
}
