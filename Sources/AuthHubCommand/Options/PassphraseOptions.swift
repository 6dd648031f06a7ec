import ArgumentParser

/// The options for the source of a passphrase.
struct PassphraseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file with the passphrase in its only line, or - for standard input; otherwise you are asked.", valueName: "file|-"))
    var passphraseFile: String?
}
