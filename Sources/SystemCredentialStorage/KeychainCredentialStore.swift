// The condition SECURITY_ON_LINUX is only for Tests/AppleAdapters, which compiles and runs these files with a stub of Apple's framework.
#if canImport(Darwin) || SECURITY_ON_LINUX
import CredentialStorage

/// A store that keeps credentials in the keychain of Apple's systems: one generic password per account.
///
///     let store = KeychainCredentialStore(service: "com.example.notes")
///
///     // An app and its extensions, which all have the access group and the app group:
///     let store = KeychainCredentialStore(
///         service: "com.example.notes", accessGroup: "ABCDE12345.com.example.notes", leaseFolder: appGroupFolder + "/leases")
///
/// - Items are in the data protection keychain, even on macOS. They can be read after the device is first unlocked after a restart, even
///   when it is locked again, so that a refresh in the background works. They stay on this device: they are not synchronized with iCloud,
///   and a backup restored to another device does not include them.
/// - Every write and deletion names the version it replaces, and the keychain compares and sets in one call: programs need no lock to
///   write. Leases are file locks in a folder, since the keychain has none.
/// - A keychain that is not unlocked yet fails with `.locked`; it never looks like an account without a record.
/// - On macOS, a program must be signed with an entitlement for a keychain access group, as apps are. Others get `.refused`.
///
/// It was only compiled and run with a stub of Apple's Security framework (`Tests/AppleAdapters`), never yet on Apple's systems.
public struct KeychainCredentialStore: Sendable {
    /// The access that a program has to the records.
    public enum Access: Sendable, Hashable {
        case readAndWrite
        /// Read-only access, for extensions that leave refreshing to their app: every write and deletion fails with `.refused`.
        case readOnly
    }

    let keychain: Keychain
    let access: Access
    let calls = KeychainCalls()
    private let leaseFolder: String?

    /// Creates a store for the items of this program only, without accessing the keychain.
    ///
    /// Leases are in the program's Application Support folder.
    ///
    /// - Parameter service: A unique name of the program, such as its bundle identifier.
    public init(service: String) {
        keychain = Keychain(service: service, accessGroup: nil)
        access = .readAndWrite
        leaseFolder = nil
    }

    /// Creates a store for items that programs of one team share, without accessing the keychain.
    ///
    /// - Parameters:
    ///   - service: A name that all of them use.
    ///   - accessGroup: The keychain access group, or the app group, for which all of them have an entitlement, with its prefix.
    ///   - leaseFolder: The absolute path of an otherwise unused folder that all of them can write to, such as one in the container of
    ///     their app group.
    public init(service: String, accessGroup: String, leaseFolder: String, access: Access = .readAndWrite) {
        keychain = Keychain(service: service, accessGroup: accessGroup)
        self.access = access
        self.leaseFolder = leaseFolder
    }
}

extension KeychainCredentialStore {
    func leases() throws(CredentialStoreError) -> LeaseFolder {
        if let leaseFolder { return LeaseFolder(path: leaseFolder) }
        guard let folder = Keychain.applicationSupport else {
            throw CredentialStoreError(.unavailable, "The folder for application support is not known. Name a folder for leases.")
        }
        return LeaseFolder(path: "\(folder)/\(keychain.service)/leases")
    }

    func checkAccess() throws(CredentialStoreError) {
        guard access == .readAndWrite else {
            throw CredentialStoreError(.refused, "This program only reads the keychain's items. Let the one that signs in change them.")
        }
    }
}
#endif
