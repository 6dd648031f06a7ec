#if !canImport(Darwin)
import CredentialStorage
import AuthHubPrimitives
import CLinux
import Platform

/// The user who runs a message bus, and could read everything that is sent over it.
struct BusOwner {
    /// The user ID; nil if unknown.
    private let user: UInt32?

    /// Creates the owner of the bus behind a socket.
    ///
    /// - Parameter descriptor: A socket that is connected to the bus.
    init(at descriptor: Int32) {
        var user = UInt32.max
        let isKnown = socket_peer_user(descriptor, &user) == 0 && user != UInt32.max
        self.user = isKnown ? user : nil
    }

    init(user: UInt32) {
        self.user = user
    }

    init(of connection: LibraryObject, _ library: LibSecret) {
        let socket = library.bus.stream(connection.pointer).flatMap(library.bus.socket)
        self.init(at: socket.map(library.bus.descriptor) ?? -1)
    }

    /// Checks the owner.
    ///
    /// - Throws: ``CredentialStoreError`` with `.refused` unless the bus belongs to the user of this process, or to root.
    func requireTrusted(in namespace: UserNamespace = .current) throws(CredentialStoreError) {
        guard let user else { throw ServiceFailure(.foreignBus, "its socket does not identify a user").storeError }
        guard user != 0, !namespace.isOurs(user) else { return }
        throw ServiceFailure(
            .foreignBus, namespace.doubt(about: user) ?? "it belongs to user ID \(user), and this process runs as user ID \(geteuid())"
        ).storeError
    }
}
#endif
