@testable import AuthHubCommandTests
import Testing

/// The expected end of a run of the tool at a server with a fault.
struct FaultOutcome: Sendable {
    let status: Int32
    /// Part of one line of its output.
    let says: String
    /// Whether the run ends only when the sign-in times out.
    let waits: Bool

    init(_ status: Int32, _ says: String, waits: Bool = false) {
        self.status = status
        self.says = says
        self.waits = waits
    }
}

extension FaultOutcome {
    /// Checks that the run had this outcome, and that its output contains nothing that a terminal would interpret.
    func expect(_ run: ChildProcess.Output, sourceLocation: SourceLocation = #_sourceLocation) {
        let text = run.errorText
        #expect(run.status == status, "\(text)", sourceLocation: sourceLocation)
        #expect(text.split(separator: "\n").contains { $0.contains(says) }, "\(text)", sourceLocation: sourceLocation)
        #expect(text.utf8.allSatisfy { $0 == 0x0A || $0 >= 0x20 }, "\(text)", sourceLocation: sourceLocation)
    }
}
