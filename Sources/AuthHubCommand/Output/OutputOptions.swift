import ArgumentParser

/// The output options that all commands have.
struct OutputOptions: ParsableArguments {
    @Option(name: [.customShort("o"), .customLong("output")], help: "The output format: text or json.")
    var format = OutputFormat.text

    @Option(help: "When to use color: auto (on a terminal, unless NO_COLOR is set), never or always.")
    var color = ColorMode.auto
}

enum OutputFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    case text, json
}

enum ColorMode: String, ExpressibleByArgument, CaseIterable, Sendable {
    case auto, never, always
}
