// The condition SECURITY_ON_LINUX is for Tests/AppleAdapters, which compiles and runs these files over a stand-in for Apple's framework,
// and for nothing else.
#if canImport(Darwin) || SECURITY_ON_LINUX
import CredentialStorage

/// Keeps credentials in the keychain of Apple's systems: one generic password for each account.
///
///     let store = KeychainCredentialStore(service: "com.example.notes")
///
///     // An app and its extensions, which all have the access group and the app group:
///     let store = KeychainCredentialStore(
///         service: "com.example.notes", accessGroup: "ABCDE12345.com.example.notes", leaseFolder: appGroupFolder + "/leases")
///
/// - Items are in the data protection keychain, on macOS, too. They can be read from the first unlocking of the device after its start on,
///   also while it is locked again, so that a refresh in the background works. They stay on this device: neither iCloud nor a backup that
///   is put back on another device takes them along.
/// - Every write and deletion names the version it replaces, and the keychain compares and sets in one call: programs need no lock
///   to write. Leases are locks of files in a folder, since the keychain has none.
/// - A keychain that is not unlocked yet is `.locked`, never an account without a record.
/// - On macOS a program has to be signed with an entitlement for a keychain access group, as apps are. Others get `.refused`.
///
/// It was compiled and run with a stand-in for Apple's Security framework alone (`Tests/AppleAdapters`), never yet on Apple's systems.
public struct KeychainCredentialStore: Sendable {
    /// What a program may do with the records.
    public enum Access: Sendable, Hashable {
        case readAndWrite
        /// For extensions that leave refreshing to their app: every write and deletion fails with `.refused`.
        case readOnly
    }

    let keychain: Keychain
    let access: Access
    let calls = KeychainCalls()
    private let leaseFolder: String?

    /// The items of this program alone. Touches nothing yet.
    ///
    /// Leases are in the program's folder for application support.
    ///
    /// - Parameter service: A name of the program's own, such as its bundle identifier.
    public init(service: String) {
        keychain = Keychain(service: service, accessGroup: nil)
        access = .readAndWrite
        leaseFolder = nil
    }

    /// Items that programs of one team share. Touches nothing yet.
    ///
    /// - Parameters:
    ///   - service: A name that all of them use.
    ///   - accessGroup: The keychain access group, or the app group, that all of them are entitled to, with its prefix.
    ///   - leaseFolder: The absolute path of a folder that all of them can write to, such as one in the container of their app group, and
    ///     that nothing else lies in.
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
