import ArgumentParser
import CredentialStorage
import GTKWidgets
import PlatformCredentialStorage

/// The store of the tokens.
enum StoreChoice: String, ExpressibleByArgument, CaseIterable {
    case platform, encrypted

    /// Returns the store, without accessing it yet.
    func store() throws(CredentialStoreError) -> any CredentialStore {
        switch self {
        case .platform: return try .platformDefault(service: DesktopApp.identifier)
        case .encrypted:
            let folder = "\(Places.data)/\(DesktopApp.identifier)/encrypted"
            return EncryptedFileStore(folder: "\(folder)/credentials", key: KeyFile(path: "\(folder)/credentials.key"))
        }
    }
}
