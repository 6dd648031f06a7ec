// The condition SECURITY_ON_LINUX is only for Tests/AppleAdapters, which compiles and runs these files with a stub of Apple's framework.
#if canImport(Darwin) || SECURITY_ON_LINUX
import CredentialStorage

/// A store in the keychain of Apple's systems, with one generic password item per account.
///
///     let store = KeychainCredentialStore(service: "com.example.notes")
///
///     // An app and its extensions, which all have the access group and the app group:
///     let store = KeychainCredentialStore(
///         service: "com.example.notes", accessGroup: "ABCDE12345.com.example.notes", leaseFolder: appGroupFolder + "/leases")
///
/// - Items are in the data protection keychain, on macOS as well. Items can be read after the device has been unlocked once since it was
///   started, even while the device is locked again, so that a token can be refreshed in the background. Items stay on this device: they
///   are not in iCloud, and are not restored from a backup on another device.
/// - Every write and deletion names the version that it replaces. The keychain compares and sets in one call, so programs need no lock to
///   write. The keychain has no leases, so a lease is a file lock in a folder.
/// - If the device has not been unlocked yet, reading a record throws `.locked` instead of returning nil.
/// - On macOS, a program must be signed with an entitlement for a keychain access group, as apps are. Calls by other programs throw
///   `.refused`.
///
/// This type has only been compiled and run with a stub of Apple's Security framework (`Tests/AppleAdapters`), never on Apple's systems.
public struct KeychainCredentialStore: Sendable {
    /// The access that a program has to the records.
    public enum Access: Sendable, Hashable {
        case readAndWrite
        /// Reading only, for extensions that let their app refresh the tokens. Every write and deletion fails with `.refused`.
        case readOnly
    }

    let keychain: Keychain
    let access: Access
    let calls = KeychainCalls()
    private let leaseFolder: String?

    /// Creates a store for the items of this program only. Does not access the keychain.
    ///
    /// Lease files are in the program's Application Support folder.
    ///
    /// - Parameter service: A name for the program's items, such as its bundle identifier.
    public init(service: String) {
        keychain = Keychain(service: service, accessGroup: nil)
        access = .readAndWrite
        leaseFolder = nil
    }

    /// Creates a store for items that several programs of one team share. Does not access the keychain.
    ///
    /// - Parameters:
    ///   - service: A name for the items. All of the programs must use the same name.
    ///   - accessGroup: The keychain access group or app group, including its prefix. All of the programs must be entitled to it.
    ///   - leaseFolder: The absolute path of a folder to which all of the programs can write, such as one in the container of their app
    ///     group. It must not contain anything else.
    ///   - access: Whether this program can write records.
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
