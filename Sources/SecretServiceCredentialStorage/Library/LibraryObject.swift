import CredentialStorage

#if !canImport(Darwin)
/// A GLib object, which is released with its last reference.
final class LibraryObject: Sendable {
    nonisolated(unsafe) let pointer: LibSecret.Pointer  // only passed to functions that may be called from any thread
    private let releasing: @convention(c) @Sendable (LibSecret.Pointer) -> Void

    /// Creates an object.
    ///
    /// - Parameter pointer: A reference, which the object takes ownership of.
    init(_ pointer: LibSecret.Pointer, releasedBy releasing: @escaping @convention(c) @Sendable (LibSecret.Pointer) -> Void) {
        self.pointer = pointer
        self.releasing = releasing
    }

    deinit {
        releasing(pointer)
    }
}
#endif
