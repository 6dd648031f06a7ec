import Testing
import WebAuthentication

struct BrowserReachTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var environment: [String: String] = [:]
        var isMac = false
        var isContainer = false
        let canOpen: Bool
        let reachesLoopback: Bool
        /// A word that the reason must contain.
        let reason: String
    }

    @Test(arguments: [
        Row(testDescription: "a desktop with X", environment: ["DISPLAY": ":0"], canOpen: true, reachesLoopback: true, reason: "display"),
        Row(
            testDescription: "a desktop with Wayland", environment: ["WAYLAND_DISPLAY": "wayland-0"], canOpen: true, reachesLoopback: true,
            reason: "display"),
        Row(testDescription: "nothing at all", canOpen: false, reachesLoopback: false, reason: "neither DISPLAY nor WAYLAND_DISPLAY"),
        Row(
            testDescription: "an empty DISPLAY", environment: ["DISPLAY": ""], canOpen: false, reachesLoopback: false,
            reason: "neither DISPLAY"),
        Row(
            testDescription: "WSL without a display", environment: ["WSL_DISTRO_NAME": "Debian"], canOpen: true, reachesLoopback: true,
            reason: "WSL"),
        Row(
            testDescription: "SSH without a display", environment: ["SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"], canOpen: false,
            reachesLoopback: false, reason: "SSH"),
        Row(
            testDescription: "SSH, shown only by its terminal", environment: ["SSH_TTY": "/dev/pts/1"], canOpen: false,
            reachesLoopback: false,
            reason: "SSH"),
        Row(
            testDescription: "SSH with a forwarded display", environment: ["SSH_CONNECTION": "x", "DISPLAY": "localhost:10.0"],
            canOpen: true,
            reachesLoopback: true, reason: "forwards a display"),
        Row(
            testDescription: "SSH into WSL", environment: ["SSH_CONNECTION": "x", "WSL_INTEROP": "/run/WSL/1"], canOpen: false,
            reachesLoopback: false, reason: "SSH"),
        Row(
            testDescription: "a codespace",
            environment: ["CODESPACES": "true", "BROWSER": "/vscode/browser.sh", "VSCODE_IPC_HOOK_CLI": "x"],
            canOpen: false, reachesLoopback: false, reason: "codespace"),
        Row(
            testDescription: "a dev container of a remote editor",
            environment: ["REMOTE_CONTAINERS": "true", "BROWSER": "/vscode/browser.sh", "VSCODE_IPC_HOOK_CLI": "x"], canOpen: true,
            reachesLoopback: true, reason: "forwards the port"),
        Row(
            testDescription: "a remote editor over SSH",
            environment: ["SSH_CONNECTION": "x", "BROWSER": "/vscode/browser.sh", "VSCODE_IPC_HOOK_CLI": "x"], canOpen: true,
            reachesLoopback: true, reason: "forwards the port"),
        Row(
            testDescription: "a remote editor through a tunnel",
            environment: ["BROWSER": "/vscode/browser.sh", "VSCODE_IPC_HOOK_CLI": "x"],
            canOpen: true, reachesLoopback: false, reason: "does not reach"),
        Row(
            testDescription: "a dev container without its editor", environment: ["REMOTE_CONTAINERS": "true"], canOpen: false,
            reachesLoopback: false, reason: "container"),
        Row(
            testDescription: "CI, even with a display", environment: ["CI": "true", "DISPLAY": ":99"], canOpen: false,
            reachesLoopback: false,
            reason: "CI"),
        Row(
            testDescription: "CI that is false", environment: ["CI": "false", "DISPLAY": ":0"], canOpen: true, reachesLoopback: true,
            reason: "display"),
        Row(
            testDescription: "CI with its own browser", environment: ["CI": "true", "AUTHHUB_BROWSER": "curl -sL"], canOpen: true,
            reachesLoopback: true, reason: "AUTHHUB_BROWSER"),
        Row(
            testDescription: "switched off", environment: ["AUTHHUB_BROWSER": "none", "DISPLAY": ":0"], canOpen: false,
            reachesLoopback: false,
            reason: "disabled"),
        Row(
            testDescription: "a container, shown by its marker file", isContainer: true, canOpen: false, reachesLoopback: false,
            reason: "container"),
        Row(testDescription: "podman", environment: ["container": "podman"], canOpen: false, reachesLoopback: false, reason: "container"),
        Row(
            testDescription: "a Kubernetes pod", environment: ["KUBERNETES_SERVICE_HOST": "10.0.0.1"], canOpen: false,
            reachesLoopback: false,
            reason: "container"),
        Row(
            testDescription: "a container with a display", environment: ["DISPLAY": ":0"], isContainer: true, canOpen: true,
            reachesLoopback: true, reason: "display"),
        Row(
            testDescription: "a container with a command in BROWSER", environment: ["BROWSER": "host-open"], isContainer: true,
            canOpen: true,
            reachesLoopback: true, reason: "BROWSER"),
        Row(
            testDescription: "an SSH session with a browser of this machine in BROWSER",
            environment: ["BROWSER": "firefox", "SSH_CONNECTION": "x"], canOpen: false, reachesLoopback: false, reason: "SSH"),
        Row(testDescription: "a Mac", isMac: true, canOpen: true, reachesLoopback: true, reason: "Mac"),
        Row(
            testDescription: "a Mac over SSH", environment: ["SSH_CONNECTION": "x"], isMac: true, canOpen: false, reachesLoopback: false,
            reason: "SSH"),
        Row(
            testDescription: "only a command in BROWSER", environment: ["BROWSER": "my-browser"], canOpen: true, reachesLoopback: true,
            reason: "BROWSER"),
    ])
    func `opening a browser and being reached by it are separate questions`(row: Row) {
        let reach = BrowserReach(environment: row.environment, isMac: row.isMac, isContainer: row.isContainer)
        #expect(reach.canOpen == row.canOpen)
        #expect(reach.reachesLoopback == row.reachesLoopback)
        #expect(reach.allowsLoopbackSignIn == (row.canOpen && row.reachesLoopback))
        #expect(reach.reason.contains(row.reason))
    }
}
