import CredentialStorage

#if !canImport(Darwin)
/// An object of GLib's, kept until the last user lets go of it.
final class LibraryObject: Sendable {
    nonisolated(unsafe) let pointer: LibSecret.Pointer  // only handed to functions that may be called from any thread
    private let releasing: @convention(c) @Sendable (LibSecret.Pointer) -> Void

    /// - Parameter pointer: A reference that is taken over.
    init(_ pointer: LibSecret.Pointer, releasedBy releasing: @escaping @convention(c) @Sendable (LibSecret.Pointer) -> Void) {
        self.pointer = pointer
        self.releasing = releasing
    }

    deinit {
        releasing(pointer)
    }
}
#endif
