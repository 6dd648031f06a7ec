import CredentialStorage
import Platform
import Testing

/// The stores that must follow the rules about accounts.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
    case memory, encryptedFile

    var testDescription: String { rawValue }

    func using(_ body: (any CredentialStore) async throws -> Void) async throws {
        guard self == .encryptedFile else { return try await body(MemoryCredentialStore()) }
        let folder = FileManager.default.temporaryDirectory.appending(path: "authhub-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(EncryptedFileStore(folder: folder.path + "/credentials", key: KeyFile(path: folder.path + "/key")))
    }
}
