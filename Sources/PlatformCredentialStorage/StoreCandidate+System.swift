import CredentialStorage
import SecretServiceCredentialStorage

extension StoreCandidate {
    /// Returns the stores that this system may have, in the order in which they are checked.
    ///
    /// - Parameters:
    ///   - folder: The service's data folder.
    ///   - environment: Returns the value of a variable by its name.
    package static func ofThisSystem(
        service: String, folder: String, asking: PlatformAsking, environment: @escaping @Sendable (String) -> String?
    ) -> [Self] {
        [
            .secretService(service: service, locks: keyringLocks(service, folder), prompting: asking.prompting),
            .encryptedFile(service: service, folder: folder, asking: asking, environment: environment),
            .plainFile(folder: folder),
        ]
    }

    /// Returns the lock folder of the keyring, which is the same one wherever the files are.
    static func keyringLocks(_ service: String, _ folder: String) -> String {
        "\((try? DataFolder.path(of: service)) ?? folder)/keyring-locks"
    }

    private static func secretService(service: String, locks: String, prompting: SecretServicePrompting) -> Self {
        Self(.secretService, location: "the desktop's keyring, as items of “\(service)”") {
            await SecretServiceStore(service: service, locks: locks).state().standing(prompting)
        } open: {
            SecretServiceStore(service: service, locks: locks, prompting: prompting)
        }
    }

    private static func encryptedFile(
        service: String, folder: String, asking: PlatformAsking, environment: @escaping @Sendable (String) -> String?
    ) -> Self {
        Self(.encryptedFile, location: "\(folder)/credentials") {
            EncryptedFilePlace(service: service, folder: folder, asking: asking, environment: environment).open()
        }
    }

    private static func plainFile(folder: String) -> Self {
        let records = "\(folder)/plain-credentials"
        return Self(.plainFile, isAutomatic: false, location: records) { PlainFileStore(folder: records) }
    }
}

extension SecretServiceState {
    /// Returns what the state means for the choice.
    func standing(_ prompting: SecretServicePrompting) -> StoreStanding {
        guard let problem else { return .usable }
        return switch condition {
        case .ready: .usable
        case .locked: .needsPerson(problem)
        case .noCollection: prompting.makesCollection ? .needsPerson(problem) : .absent(problem)
        case .noService, .noBus, .noLibrary: .absent(problem)
        case .timedOut, .failed: .unclear(problem)
        }
    }
}
