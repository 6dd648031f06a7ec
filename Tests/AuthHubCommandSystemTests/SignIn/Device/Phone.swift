import AsyncHTTPClientTransport
@testable import AuthHubCommandTests
import AuthHubPrimitives
import DevelopmentServer
import HeadlessBrowsing

/// The text on the device's screen.
struct DeviceScreen: Sendable, Hashable {
    let code: String
    let address: String

    /// Parses the text; returns nil if the text is not complete yet.
    init?(_ text: String) {
        let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
        guard text.contains("Waiting"), let address = lines.first(where: { $0.hasPrefix("http") }),
            let heading = lines.firstIndex(where: { $0.hasPrefix("Enter the code") }), lines.indices.contains(heading + 1)
        else { return nil }
        code = String(lines[heading + 1])
        self.address = String(address)
    }
}

/// A user who reads a device's screen and enters the code in a browser elsewhere.
struct Phone: Sendable {
    struct NothingShown: Error {
        let text: String
    }

    private let browser: HeadlessBrowser
    private var screen: DeviceScreen?

    init(_ tool: Tool, refuses: Bool = false) {
        browser = HeadlessBrowser(
            filling: FormFilling(user: Tool.user, password: Secret(Tool.password), refuses: refuses), transport: NetworkTransport.shared)
    }

    /// Waits until the tool shows its code.
    init(of login: ChildProcess, at tool: Tool, refuses: Bool = false) async throws {
        self.init(tool, refuses: refuses)
        let output = await login.wait { DeviceScreen($0.errorText) != nil }
        guard let screen = DeviceScreen(output.errorText) else { throw NothingShown(text: output.errorText) }
        self.screen = screen
    }

    func enter() async throws {
        guard let screen else { throw NothingShown(text: "") }
        try await enter(screen.code, at: screen.address)
    }

    func enter(_ code: String, at address: String) async throws {
        // The code as users often type it.
        try await browser.enter(code.lowercased().replacing("-", with: " "), at: address)
    }
}

extension Tool {
    /// The arguments of a device sign-in at this server.
    func deviceWords() -> [String] {
        let common = ["--allow-insecure-loopback", "--flow", "device"]
        let address = server.issuer
        if server.persona.api.isGitHub {
            return ["login", "github-app", "--web", address, "--api", address, "--client-id", server.clients[0].id] + common
        }
        return ["login", address, "--client-id", "native-app", "--scope", "openid,profile,offline_access"] + common
    }
}
