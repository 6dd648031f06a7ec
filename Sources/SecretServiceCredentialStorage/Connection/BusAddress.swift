import CredentialStorage
import AuthHubPrimitives
import Platform

/// The address of the message bus of the user's session. A bus is never started.
enum BusAddress: Sendable {
    case ofSession
    case known(String)

    /// Returns the address in D-Bus syntax; nil if there is no bus.
    ///
    /// - Throws: ``CredentialStoreError`` with `.refused` if it is a network address.
    func resolved(environment: (String) -> String?) throws(CredentialStoreError) -> String? {
        switch self {
        case .known(let address): address
        case .ofSession: try Self.named(environment) ?? Self.beside(environment)
        }
    }

    /// Returns the addresses in the environment, except the one that would start a separate bus through X11.
    ///
    /// - Throws: ``CredentialStoreError`` with `.refused` if it is a network address, whose owner cannot be determined.
    private static func named(_ environment: (String) -> String?) throws(CredentialStoreError) -> String? {
        let addresses = environment("DBUS_SESSION_BUS_ADDRESS")?.split(separator: ";").filter { !$0.hasPrefix("autolaunch:") } ?? []
        if let network = addresses.first(where: { $0.hasPrefix("tcp:") || $0.hasPrefix("nonce-tcp:") }) {
            throw ServiceFailure(.foreignBus, "the bus has the network address \(network)").storeError
        }
        return addresses.isEmpty ? nil : addresses.joined(separator: ";")
    }

    /// Returns the socket that systemd creates for each user.
    private static func beside(_ environment: (String) -> String?) -> String? {
        guard let folder = environment("XDG_RUNTIME_DIR"), folder.hasPrefix("/") else { return nil }
        let path = "\(folder)/bus"
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK, UserNamespace.current.isOurs(UInt32(status.st_uid)) else {
            return nil
        }
        return "unix:path=\(escaped(path))"
    }

    /// D-Bus Specification, "Server Addresses": all but a few bytes are written as `%` and two digits.
    private static func escaped(_ path: String) -> String {
        path.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "*"):
                String(UnicodeScalar(byte))
            default: "%" + [byte].hexadecimal
            }
        }.joined()
    }
}
