import CredentialStorage

#if !canImport(Darwin)
/// A value that is sent or received over the bus.
struct Variant: Sendable {
    private let library: LibSecret
    private let object: LibraryObject

    /// Creates a value from a floating reference.
    ///
    /// - Parameter pointer: A new value of the library; nil only if the library could not create it.
    init?(_ pointer: LibSecret.Pointer?, of library: LibSecret) {
        guard let pointer, let kept = library.variants.keep(pointer) else { return nil }
        self.library = library
        object = LibraryObject(kept, releasedBy: library.variants.release)
    }

    /// Creates a value from a reference.
    ///
    /// - Parameter pointer: A reference, which the value takes ownership of.
    private init?(owned pointer: LibSecret.Pointer?, of library: LibSecret) {
        guard let pointer else { return nil }
        self.library = library
        object = LibraryObject(pointer, releasedBy: library.variants.release)
    }

    /// Creates a value from a reply.
    ///
    /// - Parameter pointer: The return value of a call.
    init?(reply pointer: LibSecret.Pointer?, of library: LibSecret) {
        self.init(owned: pointer, of: library)
    }

    var pointer: LibSecret.Pointer { object.pointer }
}

/// Reading: each property is nil if the value has another type.
extension Variant {
    private func isOf(_ type: String) -> Bool {
        library.variants.type(pointer).map { String(cString: $0) == type } ?? false
    }

    var children: [Variant] {
        (0..<library.variants.count(pointer)).compactMap { Variant(owned: library.variants.child(pointer, $0), of: library) }
    }

    var text: String? {
        guard isOf("s") || isOf("o") else { return nil }
        return library.variants.string(pointer, nil).map { String(cString: $0) }
    }

    var boolean: Bool? { isOf("b") ? library.variants.boolean(pointer) != 0 : nil }
    var uint32: UInt32? { isOf("u") ? library.variants.uint32(pointer) : nil }
    var uint64: UInt64? { isOf("t") ? library.variants.uint64(pointer) : nil }
    var inner: Variant? { isOf("v") ? Variant(owned: library.variants.inner(pointer), of: library) : nil }

    var texts: [String: String]? {
        guard isOf("a{ss}") else { return nil }
        var texts: [String: String] = [:]
        for entry in children {
            let pair = entry.children
            if pair.count == 2, let name = pair[0].text, let text = pair[1].text { texts[name] = text }
        }
        return texts
    }
}

/// Creating values.
extension LibSecret {
    /// Creates a string; nil if it contains a NUL, which terminates strings on the bus.
    func text(_ text: String) -> Variant? {
        text.utf8.contains(0) ? nil : Variant(variants.newString(text), of: self)
    }

    func boolean(_ boolean: Bool) -> Variant? { Variant(variants.newBoolean(boolean ? 1 : 0), of: self) }

    func path(_ path: String) -> Variant? {
        variants.isObjectPath(path) != 0 ? Variant(variants.newObjectPath(path), of: self) : nil
    }

    func boxed(_ value: Variant?) -> Variant? { value.flatMap { Variant(variants.newVariant($0.pointer), of: self) } }

    func tuple(_ values: [Variant?]) -> Variant? {
        let pointers = values.map { $0?.pointer }
        guard !pointers.contains(nil) else { return nil }
        return withExtendedLifetime(values) { Variant(variants.newTuple(pointers, pointers.count), of: self) }
    }

    /// Creates an array.
    ///
    /// - Parameter type: The type of each element, in D-Bus syntax.
    func array(of type: String, _ values: [Variant?]) -> Variant? {
        let pointers = values.map { $0?.pointer }
        guard !pointers.contains(nil) else { return nil }
        return withExtendedLifetime(values) { Variant(variants.newArray(type, pointers, pointers.count), of: self) }
    }

    func texts(_ texts: [(String, String)]) -> Variant? {
        array(of: "{ss}", texts.map { entry(text($0.0), text($0.1)) })
    }

    func entry(_ key: Variant?, _ value: Variant?) -> Variant? {
        guard let key, let value else { return nil }
        return withExtendedLifetime((key, value)) { Variant(variants.newDictionaryEntry(key.pointer, value.pointer), of: self) }
    }
}
#endif
