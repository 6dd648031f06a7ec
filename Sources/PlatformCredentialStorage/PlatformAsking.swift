package import CredentialStorage
package import SecretServiceCredentialStorage

/// Whether the stores of a platform may ask the user for something.
package struct PlatformAsking: Sendable {
    /// Whether and how to ask for the password of the keyring.
    package let prompting: SecretServicePrompting
    /// The prompt for the passphrase of encrypted files whose key is protected by one.
    package let passphrase: PassphrasePrompt
    /// How often the user may try; 1 if the passphrase comes from a file.
    package let attempts: Int
    /// Whether a passphrase was provided for this purpose, so that a new store uses it for its key.
    package let hasPassphrase: Bool

    package init(prompting: SecretServicePrompting, passphrase: @escaping PassphrasePrompt, attempts: Int, hasPassphrase: Bool) {
        self.prompting = prompting
        self.passphrase = passphrase
        self.attempts = attempts
        self.hasPassphrase = hasPassphrase
    }
}

extension PlatformAsking {
    /// The variable that names a file with the passphrase; paths such as `/dev/fd/3` are files, too.
    package static let passphraseVariable = "AUTHHUB_PASSPHRASE_FILE"
    private static let longestPrompt = Duration.seconds(120)

    /// Returns the prompts of programs without a terminal: if there is a display, the desktop asks for the password of the keyring; a
    /// passphrase comes from the file that `AUTHHUB_PASSPHRASE_FILE` names.
    package static func byDesktop(_ environment: (String) -> String?) -> Self {
        let file = environment(passphraseVariable).flatMap { $0.isEmpty ? nil : $0 }
        return Self(
            prompting: prompting(environment),
            passphrase: { _ throws(CredentialStoreError) in
                guard let file else {
                    throw CredentialStoreError(
                        .locked,
                        "the store's key needs its passphrase, and there is no terminal to ask for it; name a file that contains it in \(passphraseVariable)"
                    )
                }
                return try PassphraseFile(path: file).passphrase()
            }, attempts: 1, hasPassphrase: file != nil)
    }

    /// Returns whether to ask. No one can answer a dialog that is not shown.
    package static func prompting(_ environment: (String) -> String?) -> SecretServicePrompting {
        let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment($0) ?? "").isEmpty }
        return hasDisplay ? .allowed(waitingAtMost: longestPrompt, makingKeyring: true) : .never
    }
}
