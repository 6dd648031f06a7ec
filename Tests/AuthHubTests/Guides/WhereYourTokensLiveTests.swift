import AuthHub
import AuthHubPrimitives
import CredentialStorage
import Platform
import Testing

/// Runs the code of the guide "Where your tokens live, and why".
struct WhereYourTokensLiveTests {
    private static let account = CredentialAccount(server: "https://server.example", clientID: "client")

    @Test func `a platform's store tells which one it is, and changes nothing`() async throws {
        // snippet: tokens-report
        let store: PlatformCredentialStore = try .platformDefault(service: "com.example.notes")
        let report = try await store.report()
        print("The tokens go to: \(report.chosen?.name ?? "no store")")
        for (kind, reason) in report.passedOver {
            print("\(kind) was passed over: \(reason.explanation)")
        }
        // end
        #expect(report.steps.contains { $0.kind == .encryptedFile })
        #expect(report.steps.allSatisfy { $0.isAutomatic == ($0.kind != .plainFile) })
    }

    @Test func `files and their key lie where a program wants them`() async throws {
        let folder = FileManager.default.temporaryDirectory.path(percentEncoded: false) + "/guide-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (data, elsewhere) = ("\(folder)/data", "\(folder)/elsewhere")
        // snippet: tokens-files
        let store = EncryptedFileStore(
            folder: "\(data)/credentials",
            key: KeyFile(path: "\(elsewhere)/credentials.key"))
        // end
        _ = try await store.write(Secret([1]), for: Self.account, replacing: nil)
        #expect(FileManager.default.fileExists(atPath: "\(elsewhere)/credentials.key"))
        #expect(try await store.read(Self.account)?.payload.reveal() == [1])
    }

    // snippet: tokens-errors
    func advice(_ error: CredentialStoreError) -> String {
        switch error.code {
        case .locked, .dismissed: "Unlock your keyring, and try again."
        case .timedOut, .unavailable: "The place of your tokens cannot be reached. Log in to the desktop again."
        case .full: "The disk is full."
        case .corrupt: "What was kept of this account is damaged. Sign in again."
        case .tooNew: "Update this program."
        default: error.explanation
        }
    }
    // end

    @Test func `each code says who has to do something`() {
        #expect(advice(CredentialStoreError(.locked, "It is locked.")).contains("keyring"))
        #expect(advice(CredentialStoreError(.refused, "Its mode is wrong.")) == "Its mode is wrong.")
    }
}
