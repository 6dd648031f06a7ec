#if os(Linux)
import AuthHubPrimitives
import CLinux
import Platform

/// Small secrets in the user's kernel keyring (keyrings(7), user-keyring(7)).
///
/// Containers often forbid the system calls, and a user has room for about 200 keys. If a call fails, nothing is stored.
enum KernelKeyring {
    // From keyctl(2) and linux/keyctl.h, whose names Swift does not import.
    private static let threadKeyring: Int32 = -1
    private static let userKeyring: Int32 = -4
    private static let getKeyringID: Int32 = 0
    private static let setPermissions: Int32 = 5
    private static let link: Int32 = 8
    private static let unlink: Int32 = 9
    private static let search: Int32 = 10
    private static let readKey: Int32 = 11
    private static let setTimeout: Int32 = 15
    /// Permissions for possessors and the user: view, read, write, search, link, set attributes. No permissions for anyone else.
    private static let ownersOnly: UInt = 0x3F3F_0000

    private static let type = "user"
    private static let longest = 1_024

    /// The reason why nothing can be stored here; nil if it can.
    static var obstacle: String? {
        guard control(getKeyringID, UInt(bitPattern: Int(userKeyring)), 1) < 0 else { return nil }
        return "the system does not allow access to its keyring: \(SystemCallError.last())"
    }

    /// Stores a secret for some time, and replaces an older one with the same name.
    ///
    /// The kernel lets only possessors of a key set its permissions, and a session whose keyring is not linked to the user's keyring does
    /// not possess the keys it adds there. So the key is added to this thread's keyring, and is linked after its permissions and its
    /// timeout are set.
    static func keep(_ secret: Secret<[UInt8]>, named name: String, for lifetime: Duration) {
        var bytes = secret.reveal()
        defer { bytes.overwrite() }
        let key = bytes.withUnsafeBytes { kernel_keyring_add(type, name, $0.baseAddress, $0.count, threadKeyring) }
        guard key > 0 else { return }
        defer { control(unlink, UInt(key), UInt(bitPattern: Int(threadKeyring))) }
        let seconds = UInt(max(1, min(lifetime.components.seconds, Int64(UInt32.max))))
        guard control(setTimeout, UInt(key), seconds) == 0, control(setPermissions, UInt(key), ownersOnly) == 0 else { return }
        control(link, UInt(key), UInt(bitPattern: Int(userKeyring)))
    }

    /// Returns the secret with a name, if it has not expired.
    static func secret(named name: String) -> Secret<[UInt8]>? {
        guard let key = find(name) else { return nil }
        var buffer = [UInt8](repeating: 0, count: longest)
        defer { buffer.overwrite() }
        let count = buffer.withUnsafeMutableBytes { control(readKey, UInt(key), UInt(bitPattern: $0.baseAddress), UInt($0.count)) }
        return count > 0 && count <= longest ? Secret(Array(buffer[..<count])) : nil
    }

    static func forget(_ name: String) {
        guard let key = find(name) else { return }
        control(unlink, UInt(key), UInt(bitPattern: Int(userKeyring)))
    }

    private static func find(_ name: String) -> Int? {
        let key = type.withCString { type in
            name.withCString { name in
                control(search, UInt(bitPattern: Int(userKeyring)), UInt(bitPattern: type), UInt(bitPattern: name))
            }
        }
        return key > 0 ? key : nil
    }

    @discardableResult
    private static func control(_ operation: Int32, _ second: UInt, _ third: UInt = 0, _ fourth: UInt = 0) -> Int {
        kernel_keyring_control(operation, second, third, fourth, 0)
    }
}
#endif
