import ArgumentParser

/// A command of the tool.
protocol ToolCommand: ParsableCommand, Sendable {
    var output: OutputOptions { get }
    /// Whether a signal is the way to end it, rather than an interruption.
    var endsBySignal: Bool { get }

    func perform(_ console: Console) async throws(Failure)
}

extension ToolCommand {
    var endsBySignal: Bool { false }
}

/// A command that sends requests to servers.
protocol NetworkCommand: ToolCommand {
    var network: NetworkOptions { get }
}
