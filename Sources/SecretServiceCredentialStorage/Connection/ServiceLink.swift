import CredentialStorage

#if !canImport(Darwin)
/// A connection to the bus with an encrypted session with the service.
///
/// A separate connection, because the process's shared one ends the process when the bus goes away.
final class ServiceLink: Sendable {
    static let owner = "org.freedesktop.secrets"

    let library: LibSecret
    let connection: LibraryObject
    let service: LibraryObject

    private init(library: LibSecret, connection: LibraryObject, service: LibraryObject) {
        self.library = library
        self.connection = connection
        self.service = service
    }

    deinit {
        // Does not block.
        library.bus.close(connection.pointer, nil, nil, nil)
    }
}

extension ServiceLink {
    static func open(_ address: String, _ calls: ServiceCalls) throws(CredentialStoreError) -> ServiceLink {
        let connection = try connect(address, calls)
        let library = calls.library
        try BusOwner(of: connection, library).requireTrusted()
        // Signals for the service's object are ignored: its properties are not used.
        guard let context = library.loops.new() else { throw ServiceFailure(.other).storeError }
        library.loops.enter(context)
        defer {
            library.loops.leave(context)
            library.loops.release(context)
        }
        guard let service = library.newService(on: connection) else { throw ServiceFailure(.other).storeError }
        let link = ServiceLink(library: library, connection: connection, service: service)
        _ = try calls.guarded { cancellable, error in
            library.objects.initialize(service.pointer, cancellable, error) != 0 ? true : nil
        }
        _ = try calls.guarded { cancellable, error in
            library.secrets.ensureSession(service.pointer, cancellable, error) != 0 ? true : nil
        }
        return link
    }

    private static func connect(_ address: String, _ calls: ServiceCalls) throws(CredentialStoreError) -> LibraryObject {
        do throws(CredentialStoreError) {
            // As an authenticating client of a message bus.
            let flags: UInt32 = 1 << 0 | 1 << 3
            let pointer = try calls.guarded { cancellable, error in
                calls.library.bus.connect(address, flags, nil, cancellable, error)
            }
            return LibraryObject(pointer, releasedBy: calls.library.objects.release)
        } catch {
            switch error.serviceFailure?.kind {
            case .timedOut, .cancelled: throw error
            default: throw ServiceFailure(.noBus, error.serviceFailure?.detail ?? "").storeError
            }
        }
    }
}

extension ServiceLink {
    var isClosed: Bool { library.bus.isClosed(connection.pointer) != 0 }

    /// The encryption of secrets between this process and the service, as D-Bus names it.
    var algorithms: String { library.secrets.sessionAlgorithms(service.pointer).map { String(cString: $0) } ?? "" }
}
#endif
