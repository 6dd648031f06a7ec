#if os(Linux)
import AuthHubPrimitives
import CLinux

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Small secrets in the kernel's keyring of the user (keyrings(7), user-keyring(7)).
///
/// Containers often forbid the calls, and a user has room for some 200 keys: whatever fails means that nothing is kept.
enum KernelKeyring {
    // keyctl(2) and linux/keyctl.h, whose names Swift does not import.
    private static let threadKeyring: Int32 = -1
    private static let userKeyring: Int32 = -4
    private static let getKeyringID: Int32 = 0
    private static let setPermissions: Int32 = 5
    private static let link: Int32 = 8
    private static let unlink: Int32 = 9
    private static let search: Int32 = 10
    private static let readKey: Int32 = 11
    private static let setTimeout: Int32 = 15
    /// Possessors and the user: view, read, write, search, link, set attributes. Nobody else anything.
    private static let ownersOnly: UInt = 0x3F3F_0000

    private static let type = "user"
    private static let longest = 1_024

    /// Why nothing can be kept here; nil where it can.
    static var obstacle: String? {
        guard control(getKeyringID, UInt(bitPattern: Int(userKeyring)), 1) < 0 else { return nil }
        return "the system does not allow access to its keyring: \(SystemCallError.last())"
    }

    /// Keeps a secret for some time, in the place of an older one of that name.
    ///
    /// The kernel lets only those set a key's rights who possess it, and a session whose keyring does not lead to the user's does not
    /// possess what it puts there. So the key is made in this thread's keyring, and linked when its rights and its end are set.
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

    /// The secret of a name, while its time lasts.
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
