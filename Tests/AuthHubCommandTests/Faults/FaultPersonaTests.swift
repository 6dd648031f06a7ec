import AuthHubPrimitives
import DevelopmentServer
import Testing

struct FaultPersonaTests {
    @Test(arguments: FaultPersona.all)
    func `explore`(persona: FaultPersona) async throws {
        try await Tool.using(.init(persona: .openID)) { tool in
            tool.server.faults.play(persona)
            let login = try await tool.run(tool.loginWords() + ["--timeout", "20"])
            let lines = login.errorText.split(separator: "\n").filter { !$0.contains("authorize?") && !$0.hasPrefix("  next") && !$0.hasPrefix("Open") }
            print("ROW|\(persona.id)|\(login.status ?? -1)|\(lines.joined(separator: " // "))")
        }
    }
}
