import ArgumentParser

/// The options for the source of a passphrase.
struct PassphraseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file with the passphrase as its only line, or - for standard input (default: ask for it).", valueName: "file|-"),
        completion: .file())
    var passphraseFile: String?
}
