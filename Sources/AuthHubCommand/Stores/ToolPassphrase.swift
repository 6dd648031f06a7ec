import AuthHubPrimitives
import CredentialStorage
import Platform
import PlatformCredentialStorage

/// Passphrases from a file or from the user at the terminal; never from an argument, which everyone on the machine can read.
struct ToolPassphrase: Sendable {
    /// The given passphrase; if nil, the user is asked.
    private let given: Secret<[UInt8]>?
    /// Whether the given passphrase is for a new key, and opens nothing.
    private let isNew: Bool

    /// Creates a source that asks the user at the terminal.
    init() {
        given = nil
        isNew = false
    }

    init(_ options: PassphraseOptions) throws(Failure) {
        try self.init(options, isNew: false)
    }

    /// Creates a source for a new key. The new passphrase is in the options; the old one comes from the environment, or from the user.
    init(forNewKey options: PassphraseOptions) throws(Failure) {
        try self.init(options, isNew: true)
    }

    private init(_ options: PassphraseOptions, isNew: Bool) throws(Failure) {
        self.isNew = isNew
        given = try options.passphraseFile.map { path throws(Failure) in Secret(Array(try InputFile.passphrase(in: path).reveal().utf8)) }
    }

    /// How often a passphrase may be entered.
    var attempts: Int { given == nil ? 3 : 1 }

    var prompt: PassphrasePrompt { { purpose throws(CredentialStoreError) in try answer(purpose) } }

    /// The prompts of this tool's stores.
    var asking: PlatformAsking {
        let desktop = PlatformAsking.byDesktop(processEnvironment)
        guard !desktop.hasPassphrase || given != nil else { return desktop }
        return PlatformAsking(prompting: desktop.prompting, passphrase: prompt, attempts: attempts, hasPassphrase: given != nil)
    }

    private func answer(_ purpose: PassphrasePurpose) throws(CredentialStoreError) -> Secret<[UInt8]> {
        if isNew, case .open = purpose {
            let desktop = PlatformAsking.byDesktop(processEnvironment)
            if desktop.hasPassphrase { return try desktop.passphrase(purpose) }
        } else if let given {
            return given
        }
        switch purpose {
        case .open(attempt: 1): return try line("Passphrase")
        // Input typed during the check of the previous passphrase was not meant for this one.
        case .open: return try line("Wrong passphrase. Passphrase", discardsInput: true)
        case .choose:
            defer { HiddenLine.finish() }
            for question in ["New passphrase", "The passphrases differ. New passphrase", "The passphrases differ. New passphrase"] {
                let first = try line(question)
                if first.reveal() == (try line("Repeat the passphrase")).reveal() { return first }
            }
            throw CredentialStoreError(.dismissed, "no passphrase was chosen; the two entries differed each time")
        }
    }

    private func line(_ question: String, discardsInput: Bool = false) throws(CredentialStoreError) -> Secret<[UInt8]> {
        guard HiddenLine.canAsk else {
            throw CredentialStoreError(
                .locked,
                "a passphrase is needed, and there is no terminal to ask for it; name a file that holds it with --passphrase-file or \(PlatformAsking.passphraseVariable)"
            )
        }
        guard let text = HiddenLine.read(question, discardsInput: discardsInput) else {
            if HiddenLine.interruption.isSet { throw CredentialStoreError(.cancelled, "the command was interrupted") }
            throw CredentialStoreError(.dismissed, "no passphrase was given")
        }
        return Secret(Array(text.reveal().utf8))
    }
}
