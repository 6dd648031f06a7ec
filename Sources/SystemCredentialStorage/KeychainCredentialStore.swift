// The condition SECURITY_ON_LINUX is only for Tests/AppleAdapters, which compiles and runs these files with a stub of Apple's framework.
#if canImport(Darwin) || SECURITY_ON_LINUX
import CredentialStorage

/// Stores credentials in the keychain of Apple's systems: one generic password per account.
///
///     let store = KeychainCredentialStore(service: "com.example.notes")
///
///     // An app and its extensions, which all have the access group and the app group:
///     let store = KeychainCredentialStore(
///         service: "com.example.notes", accessGroup: "ABCDE12345.com.example.notes", leaseFolder: appGroupFolder + "/leases")
///
/// - Items are in the data protection keychain, on macOS, too. They can be read once the device was unlocked after a restart, even if it
///   is locked again, so a refresh in the background works. They stay on this device: neither iCloud nor a backup restored on another
///   device includes them.
/// - Every write and deletion names the version it replaces, and the keychain compares and sets in one call, so programs need no lock to
///   write. The keychain has no leases; they are file locks in a folder.
/// - A keychain that was not unlocked yet is an error (`.locked`), never an account without a record.
/// - On macOS, a program must be signed with an entitlement for a keychain access group, as apps are. Others get `.refused`.
///
/// This type has only been only compiled and run with a stub of Apple's Security framework (`Tests/AppleAdapters`), never on Apple's systems.
public struct KeychainCredentialStore: Sendable {
    /// The access that a program has to the records.
    public enum Access: Sendable, Hashable {
        case readAndWrite
        /// Reading only, for extensions that leave refreshing to their app. Every write and deletion fails with `.refused`.
        case readOnly
    }

    let keychain: Keychain
    let access: Access
    let calls = KeychainCalls()
    private let leaseFolder: String?

    /// Creates a store for the items of this program only. Does not access the keychain yet.
    ///
    /// Leases are in the program's Application Support folder.
    ///
    /// - Parameter service: A name for the program's items, such as its bundle identifier.
    public init(service: String) {
        keychain = Keychain(service: service, accessGroup: nil)
        access = .readAndWrite
        leaseFolder = nil
    }

    /// Creates a store for items that programs of one team share. Does not access the keychain yet.
    ///
    /// - Parameters:
    ///   - service: A name that all of the programs use.
    ///   - accessGroup: The keychain access group or app group that all of them are entitled to, with its prefix.
    ///   - leaseFolder: The absolute path of a folder that all of them can write to, such as one in the container of their app group. It
    ///     must not contain anything else.
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
            throw CredentialStoreError(.unavailable, "the Application Support folder is not known; name a folder for leases")
        }
        return LeaseFolder(path: "\(folder)/\(keychain.service)/leases")
    }

    func checkAccess() throws(CredentialStoreError) {
        guard access == .readAndWrite else {
            throw CredentialStoreError(.refused, "this program can only read the keychain items; change them in the program that signs in")
        }
    }
}
#endif
