#if !canImport(Darwin)
import AuthHubPrimitives
import CredentialStorage

extension LibSecret {
    /// The constructor of libsecret's service. It makes any instance use the process's shared connection, which ends the process when the
    /// bus goes away, and which reaches only one bus.
    private typealias Constructor = @convention(c) @Sendable (UInt, UInt32, Pointer?) -> Pointer?

    private struct Subclass {
        let library: LibSecret
        let type: UInt
        var constructor: Constructor?
    }

    private static let subclass = StaticMutex<Subclass?>(nil)

    /// Creates a libsecret service that uses our connection: a subclass reverts what the constructor sets.
    func newService(on connection: LibraryObject) -> LibraryObject? {
        let type = Self.subclass.withLock { subclass in
            let made = subclass ?? registered()
            subclass = made
            return made?.type
        }
        guard let type else { return nil }
        let name = Array("g-connection".utf8CString)
        let service = withValue(of: bus.connectionType()) { value in
            objects.setObject(value, connection.pointer)
            return name.withUnsafeBufferPointer { objects.new(type, 1, [$0.baseAddress], value) }
        }
        return service.map { LibraryObject($0, releasedBy: objects.release) }
    }

    private func registered() -> Subclass? {
        // GTypeQuery: a type, a name, and two sizes of 32 bits each.
        let description = Pointer.allocate(byteCount: 24, alignment: 8)
        description.initializeMemory(as: UInt8.self, repeating: 0, count: 24)
        defer { description.deallocate() }
        let parent = secrets.serviceType()
        objects.describeType(parent, description)
        let classSize = description.load(fromByteOffset: 16, as: UInt32.self)
        let instanceSize = description.load(fromByteOffset: 20, as: UInt32.self)
        let type = objects.newType(parent, "AuthHubSecretService", classSize, Self.initializeClass, instanceSize, nil, 0)
        return type == 0 ? nil : Subclass(library: self, type: type)
    }

    /// GObjectClass: its type, a list, and then the constructor.
    private static let constructorOffset = 16

    private static let initializeClass: ClassInitializer = { subclassPointer, _ in
        guard let place = subclassPointer?.advanced(by: constructorOffset) else { return }
        let inherited = place.load(as: Constructor.self)
        subclass.withLock { $0?.constructor = inherited }
        place.storeBytes(of: construct, as: Constructor.self)
    }

    private static let construct: Constructor = { type, count, properties in
        guard let (library, constructor) = subclass.withLock({ subclass in subclass.map { ($0.library, $0.constructor) } }),
            let object = constructor?(type, count, properties)
        else { return nil }
        library.settle(object)
        return object
    }

    private func settle(_ service: Pointer) {
        withValue(of: bus.kindType()) { value in
            objects.setEnumeration(value, 0)
            objects.setProperty(service, "g-bus-type", value)
        }
        withValue(of: bus.proxyFlagsType()) { value in
            // Without loading properties or connecting signals.
            objects.setFlags(value, 1 << 0 | 1 << 1)
            objects.setProperty(service, "g-flags", value)
        }
        let textType: UInt = 16 << 2
        withValue(of: textType) { value in
            objects.setString(value, ServiceLink.owner)
            objects.setProperty(service, "g-name", value)
        }
    }

    private func withValue<Success>(of type: UInt, _ body: (Pointer) -> Success) -> Success {
        // GValue: a type and 16 bytes, all zero before its first use.
        let value = Pointer.allocate(byteCount: 24, alignment: 8)
        value.initializeMemory(as: UInt8.self, repeating: 0, count: 24)
        defer { value.deallocate() }
        _ = objects.beginValue(value, type)
        defer { objects.endValue(value) }
        return body(value)
    }
}
#endif
