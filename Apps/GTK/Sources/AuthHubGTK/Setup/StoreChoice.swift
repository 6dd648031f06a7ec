import ArgumentParser
import CredentialStorage
import GTKWidgets
import PlatformCredentialStorage

/// Where the tokens are kept.
enum StoreChoice: String, ExpressibleByArgument, CaseIterable {
    case platform, encrypted

    /// Touches nothing yet.
    func store() throws(CredentialStoreError) -> any CredentialStore {
        switch self {
        case .platform: return try .platformDefault(service: DesktopApp.identifier)
        case .encrypted:
            let folder = "\(Places.data)/\(DesktopApp.identifier)/encrypted"
            return EncryptedFileStore(folder: "\(folder)/credentials", key: KeyFile(path: "\(folder)/credentials.key"))
        }
    }
}
