import ArgumentParser

struct StoreInfoCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show where the tokens are and why, how they are protected, and the state of each store.",
        discussion: "Never asks you to unlock anything and never changes anything.")

    @OptionGroup var storage: StoreOptions
    @OptionGroup var output: OutputOptions

    func perform(_ console: Console) async throws(Failure) {
        let report = try await StoreReport.read(storage)
        switch console.format {
        case .json: console.put(report.json)
        case .text: console.put(report.text(console.dataStyle, width: console.columns))
        }
    }
}
