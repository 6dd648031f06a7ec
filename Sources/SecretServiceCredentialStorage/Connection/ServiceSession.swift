import CredentialStorage

#if !canImport(Darwin)
/// One operation with the service: its calls, and the session they use.
struct ServiceSession: Sendable {
    let calls: ServiceCalls
    let link: ServiceLink

    var library: LibSecret { calls.library }
}

extension ServiceSession {
    static let servicePath = "/org/freedesktop/secrets"

    /// Calls a method, and waits for its reply.
    ///
    /// - Parameters:
    ///   - arguments: nil if one could not be created.
    ///   - reply: The type of the reply, in D-Bus syntax.
    func call(
        _ method: String, of interface: String, at path: String, owner: String = ServiceLink.owner,
        _ arguments: [Variant?], reply: String
    ) throws(CredentialStoreError) -> [Variant] {
        guard library.variants.isObjectPath(path) != 0, let tuple = library.tuple(arguments) else {
            throw ServiceFailure(.other, "\(method) does not accept these arguments").storeError
        }
        let pointer = try calls.guarded { cancellable, error in
            withExtendedLifetime(tuple) {
                library.bus.callNow(
                    link.connection.pointer, owner, path, interface, method, tuple.pointer, reply, 0, calls.limit.milliseconds, cancellable,
                    error)
            }
        }
        return Variant(reply: pointer, of: library)?.children ?? []
    }

    /// Returns the value of a property.
    func property(_ name: String, of interface: String, at path: String) throws(CredentialStoreError) -> Variant? {
        try call(
            "Get", of: "org.freedesktop.DBus.Properties", at: path, [library.text(interface), library.text(name)], reply: "(v)"
        ).first?.inner
    }

    /// Returns the name of the program that provides the service; nil if unknown.
    func program() throws(CredentialStoreError) -> String? {
        let process = try call(
            "GetConnectionUnixProcessID", of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus", owner: "org.freedesktop.DBus",
            [library.text(ServiceLink.owner)], reply: "(u)"
        ).first?.uint32
        guard let process, let path = try? FileSystem.target(ofLink: "/proc/\(process)/exe") else { return nil }
        return path.split(separator: "/").last.map(String.init)
    }
}

extension Duration {
    var milliseconds: Int32 {
        let (seconds, attoseconds) = boundedWait.components
        return Int32(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }
}
#endif
