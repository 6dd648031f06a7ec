import ArgumentParser

struct StoreInfoCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Tells where the tokens are, why there, what that guards against, and how each store stands.",
        discussion: "Does not ask you to unlock anything, and changes nothing.")

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
