import AuthHubPrimitives
import CredentialStorage
import CredentialStorageTestSupport
import Platform
import Synchronization
import Testing

struct StoreKeySearchTests {
    /// The environment of a search.
    struct Dependencies: Sendable {
        var secretService: Result<StoreKeySearch.Standing, CredentialStoreError>?
        var credentials: [UInt8]?
        var keyFile: [UInt8]?
        var keyFileIsNamed = false
        var canAsk: Result<Bool, CredentialStoreError> = .failure(CredentialStoreError(.locked, "No terminal"))
        var hasPassphrase = false
        var hasOwnKey = false
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let around: Dependencies
        let expected: [String]
        var code: CredentialStoreError.Code?
    }

    private static let key = [UInt8](repeating: 7, count: 32)
    private static let noBus = CredentialStoreError(.unavailable, "There is no session bus")
    private static let nothing = ["secret-service: unavailable", "credentials-directory: unavailable", "key-file: unavailable"]
    private static let unneeded = "not needed"

    @Test(arguments: [
        Row(
            testDescription: "nothing available: the store's own file", around: Dependencies(secretService: .failure(noBus)),
            expected: nothing + ["passphrase: locked", "own-key-file: taken"]),
        Row(
            testDescription: "a Secret Service comes first",
            around: Dependencies(secretService: .success(.ready), credentials: key, keyFile: key, canAsk: .success(true)),
            expected: ["secret-service: taken"]
                + ["credentials-directory", "key-file", "passphrase", "own-key-file"].map { "\($0): \(unneeded)" }),
        Row(
            testDescription: "then a systemd credential",
            around: Dependencies(secretService: .failure(noBus), credentials: key, keyFile: key),
            expected: ["secret-service: unavailable", "credentials-directory: taken"]
                + ["key-file", "passphrase", "own-key-file"].map { "\($0): \(unneeded)" }),
        Row(
            testDescription: "then a named key file",
            around: Dependencies(secretService: .failure(noBus), keyFile: key, canAsk: .success(true)),
            expected: ["secret-service: unavailable", "credentials-directory: unavailable", "key-file: taken"]
                + ["passphrase", "own-key-file"].map { "\($0): \(unneeded)" }),
        Row(
            testDescription: "then a passphrase", around: Dependencies(secretService: .failure(noBus), canAsk: .success(true)),
            expected: nothing + ["passphrase: taken", "own-key-file: \(unneeded)"]),
        Row(
            testDescription: "a user who declines a passphrase gets the store's own file",
            around: Dependencies(
                secretService: .failure(noBus), canAsk: .failure(CredentialStoreError(.dismissed, "No, thank you"))),
            expected: nothing + ["passphrase: dismissed", "own-key-file: taken"]),
        Row(
            testDescription: "a locked Secret Service is an error, and not skipped",
            around: Dependencies(secretService: .failure(CredentialStoreError(.locked, "The keyring is locked")), keyFile: key),
            expected: ["secret-service: stopped: locked"]
                + ["credentials-directory", "key-file", "passphrase", "own-key-file"].map { "\($0): \(unneeded)" }, code: .locked),
        Row(
            testDescription: "a credential that is not a key is an error, and not skipped",
            around: Dependencies(secretService: .failure(noBus), credentials: [1]),
            expected: ["secret-service: unavailable", "credentials-directory: stopped: corrupt"]
                + ["key-file", "passphrase", "own-key-file"].map { "\($0): \(unneeded)" }, code: .corrupt),
        Row(
            testDescription: "a typing error in AUTHHUB_KEY_FILE is an error, and not skipped",
            around: Dependencies(secretService: .failure(noBus), keyFileIsNamed: true),
            expected: ["secret-service: unavailable", "credentials-directory: unavailable", "key-file: stopped: unavailable"]
                + ["passphrase", "own-key-file"].map { "\($0): \(unneeded)" }, code: .unavailable),
        Row(
            testDescription: "a store that has its own key keeps it, whatever is available later",
            around: Dependencies(secretService: .success(.ready), credentials: key, keyFile: key, hasOwnKey: true),
            expected: ["secret-service", "credentials-directory", "key-file", "passphrase"].map { "\($0): \(unneeded)" } + [
                "own-key-file: taken"
            ]),
        Row(
            testDescription: "a store that has a sealed key keeps it, even if no one can be asked now",
            around: Dependencies(secretService: .success(.ready), hasPassphrase: true),
            expected: ["secret-service: not needed", "credentials-directory: not needed", "key-file: not needed", "passphrase: taken"]
                + ["own-key-file: not needed"]),
        Row(
            testDescription: "without a Secret Service in the program", around: Dependencies(canAsk: .success(true)),
            expected: ["credentials-directory: unavailable", "key-file: unavailable", "passphrase: taken", "own-key-file: not needed"]),
    ])
    func `the order is fixed, and each skipped step has a reason`(row: Row) async throws {
        let folder = try TemporaryFolder()
        let search = try search(row.around, folder)
        let before = try names(in: folder.path)
        #expect(search.findings().map(\.text) == row.expected)
        let reasons = search.findings().compactMap(\.reason)
        #expect(reasons.allSatisfy { $0.explanation.count > 8 && !$0.explanation.hasSuffix(".") })
        #expect(try names(in: folder.path) == before)
        let taken = row.expected.first { $0.hasSuffix(": taken") }?.split(separator: ":").first.map(String.init)
        let found = await code { () throws(CredentialStoreError) in
            let choice = try search.choose()
            #expect(choice.choice.rawValue == taken)
            #expect(try choice.source.key(creatingIfMissing: true)?.reveal().count == 32)
            // The recorded source returns the same key later, even if a search would now find another source.
            let again = try search.source(of: StoreKeyChoice(rawValue: choice.choice.rawValue))
            #expect(try again.key(creatingIfMissing: false)?.reveal() == choice.source.key(creatingIfMissing: false)?.reveal())
        }
        #expect(found == row.code)
    }

    @Test(arguments: [
        (StoreKeyChoice.secretService, CredentialStoreError.Code.unavailable), (.credentialsDirectory, .unavailable),
        (.keyFile, .unavailable),
        (StoreKeyChoice(rawValue: "smart-card"), .tooNew),
    ])
    func `a recorded source that is missing is an error that names it, and no other source is used`(
        choice: StoreKeyChoice, code: CredentialStoreError.Code
    ) throws {
        let folder = try TemporaryFolder()
        let search = try search(Dependencies(secretService: .failure(Self.noBus), canAsk: .success(true), hasOwnKey: true), folder)
        do throws(CredentialStoreError) {
            _ = try search.source(of: choice)
            Issue.record("There is a source.")
        } catch {
            #expect(error.code == code)
            #expect(error.explanation.contains("“\(choice.rawValue)”"))
        }
    }

    @Test func `each known source says what it protects against`() {
        let choices: [StoreKeyChoice] = [.secretService, .credentialsDirectory, .keyFile, .passphrase, .ownKeyFile]
        #expect(Set(choices.map(\.strength)).count == choices.count)
        #expect(StoreKeyChoice(rawValue: "smart-card").strength.contains("smart-card"))
    }

    private func search(_ around: Dependencies, _ folder: TemporaryFolder) throws -> StoreKeySearch {
        let (sealed, own) = ("\(folder.path)/sealed.key", "\(folder.path)/own.key")
        var variables: [String: String] = [:]
        if let key = around.credentials {
            variables["CREDENTIALS_DIRECTORY"] = folder.path
            try write(key, to: "\(folder.path)/authhub.key", mode: 0o400)
        }
        if around.keyFile != nil || around.keyFileIsNamed { variables["AUTHHUB_KEY_FILE"] = "\(folder.path)/named.key" }
        if let key = around.keyFile { try write(key, to: "\(folder.path)/named.key") }
        if around.hasPassphrase { _ = try PassphraseKey(path: sealed, answers: .says("right")).key(creatingIfMissing: true) }
        if around.hasOwnKey { try write(Self.key, to: own) }
        let passphrase = PassphraseKey(path: sealed, answers: .says("right"), .says("right"))
        return .standard(
            secretService: around.secretService.map { standing in
                .secretService(
                    look: { () throws(CredentialStoreError) in try standing.get() },
                    make: { () throws(CredentialStoreError) in
                        _ = try standing.get()
                        return KeyFile(path: "\(folder.path)/service.key")
                    })
            },
            passphrase: .passphrase(passphrase) { () throws(CredentialStoreError) in _ = try around.canAsk.get() },
            ownKeyFile: KeyFile(path: own), environment: { variables[$0] })
    }
}

extension StoreKeySearch.Finding {
    fileprivate var text: String {
        switch verdict {
        case .taken: "\(choice): taken"
        case .passedOver(let error): "\(choice): \(error.code)"
        case .stopped(let error): "\(choice): stopped: \(error.code)"
        case .notNeeded: "\(choice): not needed"
        }
    }

    fileprivate var reason: CredentialStoreError? {
        switch verdict {
        case .passedOver(let error), .stopped(let error): error
        case .taken, .notNeeded: nil
        }
    }
}
