package import CredentialStorage
package import SecretServiceCredentialStorage

/// Whether the stores of a platform may ask a person for something.
package struct PlatformAsking: Sendable {
    /// For the password of the keyring.
    package let prompting: SecretServicePrompting
    /// For the passphrase of encrypted files whose key a passphrase guards.
    package let passphrase: PassphrasePrompt
    /// How often a person may try; 1 where the answer comes from a file.
    package let attempts: Int
    /// Whether a passphrase was given for this purpose, so that a new store takes it for its key.
    package let hasPassphrase: Bool

    package init(prompting: SecretServicePrompting, passphrase: @escaping PassphrasePrompt, attempts: Int, hasPassphrase: Bool) {
        self.prompting = prompting
        self.passphrase = passphrase
        self.attempts = attempts
        self.hasPassphrase = hasPassphrase
    }
}

extension PlatformAsking {
    /// The variable that names a file with the passphrase; `/dev/fd/3` and the like are files, too.
    package static let passphraseVariable = "AUTHHUB_PASSPHRASE_FILE"
    private static let longestPrompt = Duration.seconds(120)

    /// As programs without a terminal of their own ask: where there is a display, the desktop asks for the password of the keyring; a passphrase
    /// comes from the file that `AUTHHUB_PASSPHRASE_FILE` names.
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

    /// Nobody can answer a dialog that is not shown.
    package static func prompting(_ environment: (String) -> String?) -> SecretServicePrompting {
        let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { !(environment($0) ?? "").isEmpty }
        return hasDisplay ? .allowed(waitingAtMost: longestPrompt, makingKeyring: true) : .never
    }
}
