#if !canImport(Darwin)
import CredentialStorage
import AuthHubPrimitives
import Platform

/// libsecret and its dependencies (GLib, GObject, GIO), loaded at run time, so that programs can be built and run without it.
final class LibSecret: Sendable {
    let memory: Memory
    let variants: Variants
    let objects: Objects
    let loops: Loops
    let bus: Bus
    let secrets: Secrets

    private init(_ symbols: LibrarySymbols) throws(CredentialStoreError) {
        memory = try Memory(symbols)
        variants = try Variants(symbols)
        objects = try Objects(symbols)
        loops = try Loops(symbols)
        bus = try Bus(symbols)
        secrets = try Secrets(symbols)
    }

    // Never closed: GLib's types and threads exist as long as the process.
    private static let opened = StaticMutex<[String: LibSecret]>([:])
}

extension LibSecret {
    /// Opens the library.
    ///
    /// - Throws: ``CredentialStoreError`` with `.unavailable` if the library is not on this system, or lacks required functions.
    static func open(_ name: String) throws(CredentialStoreError) -> LibSecret {
        if let library = opened.withLock({ $0[name] }) { return library }
        let library = try LibSecret(LibrarySymbols(of: name))
        return opened.withLock { opened in
            let first = opened[name] ?? library
            opened[name] = first
            return first
        }
    }
}

/// The functions of a library by name.
struct LibrarySymbols {
    private let handle: UnsafeMutableRawPointer

    init(of name: String) throws(CredentialStoreError) {
        guard let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
            throw ServiceFailure(.noLibrary, Self.lastError).storeError
        }
        self.handle = handle
    }

    /// Returns a function of the library or of its dependencies. The type is not checked.
    func function<Function>(_ name: String) throws(CredentialStoreError) -> Function {
        guard let symbol = dlsym(handle, name) else { throw ServiceFailure(.noLibrary, Self.lastError).storeError }
        return unsafeBitCast(symbol, to: Function.self)  // a symbol has no type; the declaration states it
    }

    private static var lastError: String {
        dlerror().map { String(cString: $0) } ?? ""
    }
}
#endif
