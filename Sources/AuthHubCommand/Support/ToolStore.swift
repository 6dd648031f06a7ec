import AuthHubPrimitives
import CredentialStorage

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The store that the tool keeps accounts in: the person's own, or the folder that `AUTHHUB_STORE` names.
enum ToolStore {
    static func open() throws(Failure) -> EncryptedFileStore {
        do {
            return try located()
        } catch {
            throw Failure(error)
        }
    }

    /// Reads nothing and makes nothing yet.
    static func located() throws(CredentialStoreError) -> EncryptedFileStore {
        guard let folder = getenv("AUTHHUB_STORE").map({ String(cString: $0) }), !folder.isEmpty else {
            return try .platformDefault(service: "authhub")
        }
        guard folder.hasPrefix("/") else {
            throw CredentialStoreError(.unavailable, "AUTHHUB_STORE is not an absolute path")
        }
        return inFolder(folder)
    }

    /// Records and their key beside each other, as the default store has them.
    static func inFolder(_ folder: String) -> EncryptedFileStore {
        EncryptedFileStore(folder: "\(folder)/credentials", key: KeyFile(path: "\(folder)/credentials.key"))
    }
}
