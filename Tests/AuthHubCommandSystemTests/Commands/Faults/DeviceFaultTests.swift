@testable import AuthHubCommandTests
import DevelopmentServer
import Testing

/// The tool, at servers with faults in the device flow.
struct DeviceFaultTests {
    static let outcomes: [String: FaultOutcome] = [
        "DV01-no-device-code": FaultOutcome(1, "device_code"),
        "DV01-no-user-code": FaultOutcome(1, "user_code"),
        "DV01-no-address": FaultOutcome(1, "verification_uri"),
        "DV01-empty": FaultOutcome(1, "device_code"),
        "DV01-number": FaultOutcome(1, "user_code"),
        "DV03-no-lifetime": FaultOutcome(1, "expires_in"),
        "DV03-zero": FaultOutcome(1, "expires_in"),
        "DV03-negative": FaultOutcome(1, "expires_in"),
        "DV03-word": FaultOutcome(1, "expires_in"),
        "DV06-invisible": FaultOutcome(1, "user_code"),
        "DV09-client": FaultOutcome(1, "invalid_client"),
        "DV09-disabled": FaultOutcome(3, "unauthorized_client"),
        "DV11-busy": FaultOutcome(75, "busy"),
        "DV18-busy": FaultOutcome(75, "busy"),
        "ER03-device-echo": FaultOutcome(1, "invalid_request"),
        "DV01-page": FaultOutcome(1, "web page"),
        "DV01-lost": FaultOutcome(6, "connection"),
    ]

    @Test func `every fault that ends a device sign-in has its outcome here`() {
        #expect(Set(FaultPersona.device.filter { !$0.isHarmless }.map(\.id)) == Set(Self.outcomes.keys))
        #expect(Set(FaultPersona.device.map(\.id)).count == FaultPersona.device.count)
    }

    @Test func `all faults can be requested by name, and no name is used twice`() {
        let names = FaultPersona.all.map(\.id)
        let lists = [
            FaultPersona.signIn, FaultPersona.device, FaultPersona.messages, FaultPersona.resources, FaultPersona.assertions,
            FaultPersona.openID,
            FaultPersona.encryption, FaultPersona.claims, FaultPersona.discovery, FaultPersona.frontChannel, FaultPersona.logout,
        ]
        #expect(names.count == lists.map(\.count).reduce(0, +))
        #expect(Set(names).count == names.count)
    }

    @Test(arguments: FaultPersona.device.filter { !$0.isHarmless })
    func `a device sign-in at a server with this fault ends as expected and stores nothing`(
        persona: FaultPersona
    ) async throws {
        let outcome = try #require(Self.outcomes[persona.id])
        try await Tool.using(DeviceLoginTests.configuration(.openID)) { tool in
            tool.server.faults.play(persona)
            let login = try await tool.runInTurn(tool.deviceWords())
            let lines = login.errorText.split(separator: "\n")
            outcome.expect(login)
            #expect(lines.count == 2)
            #expect(lines.first?.hasPrefix("authhub: ") == true)
            #expect(login.text.isEmpty)
            #expect(try await tool.records().isEmpty)
            #expect(tool.server.log.tokenRequests() == 0)
        }
    }

    /// The tool shows the server's text without control characters, so that the user can still find the page.
    @Test(arguments: FaultPersona.device.filter(\.isHarmless))
    func `tolerates a harmless fault, and shows nothing that a terminal would interpret`(persona: FaultPersona) async throws {
        try await Tool.using(DeviceLoginTests.configuration(.openID)) { tool in
            tool.server.faults.play(persona)
            let login = try tool.start(tool.deviceWords())
            let shown = await login.wait { $0.errorText.contains("Waiting") }
            #expect(shown.errorText.contains("Waiting"), "\(shown.errorText)")
            #expect(shown.errorText.utf8.allSatisfy { $0 == 0x0A || $0 >= 0x20 })
            #expect(!shown.errorText.unicodeScalars.contains("\u{202E}"))
            login.send(2)
            _ = await login.end()
            #expect(try await tool.records().isEmpty)
        }
    }
}
