import CredentialStorage

#if !canImport(Darwin)
extension LibSecret {
    /// A pointer to any object of the library. Only the library's functions know its type.
    typealias Pointer = UnsafeMutableRawPointer
    typealias Text = UnsafePointer<CChar>
    typealias ClassInitializer = @convention(c) (Pointer?, Pointer?) -> Void
    typealias ErrorPlace = UnsafeMutablePointer<Pointer?>

    struct Memory: Sendable {
        let free: @convention(c) @Sendable (Pointer?) -> Void
        let freeError: @convention(c) @Sendable (Pointer?) -> Void

        init(_ symbols: LibrarySymbols) throws(CredentialStoreError) {
            free = try symbols.function("g_free")
            freeError = try symbols.function("g_error_free")
        }
    }

    /// GVariant: the values that are sent over the bus.
    struct Variants: Sendable {
        let keep: @convention(c) @Sendable (Pointer) -> Pointer?
        let release: @convention(c) @Sendable (Pointer) -> Void
        let newString: @convention(c) @Sendable (Text) -> Pointer?
        let newObjectPath: @convention(c) @Sendable (Text) -> Pointer?
        let newBoolean: @convention(c) @Sendable (Int32) -> Pointer?
        let newVariant: @convention(c) @Sendable (Pointer) -> Pointer?
        let newTuple: @convention(c) @Sendable (UnsafePointer<Pointer?>, Int) -> Pointer?
        let newArray: @convention(c) @Sendable (Text, UnsafePointer<Pointer?>, Int) -> Pointer?
        let newDictionaryEntry: @convention(c) @Sendable (Pointer, Pointer) -> Pointer?
        let type: @convention(c) @Sendable (Pointer) -> Text?
        let count: @convention(c) @Sendable (Pointer) -> Int
        let child: @convention(c) @Sendable (Pointer, Int) -> Pointer?
        let inner: @convention(c) @Sendable (Pointer) -> Pointer?
        let string: @convention(c) @Sendable (Pointer, Pointer?) -> Text?
        let boolean: @convention(c) @Sendable (Pointer) -> Int32
        let uint32: @convention(c) @Sendable (Pointer) -> UInt32
        let uint64: @convention(c) @Sendable (Pointer) -> UInt64
        let isObjectPath: @convention(c) @Sendable (Text) -> Int32

        init(_ symbols: LibrarySymbols) throws(CredentialStoreError) {
            keep = try symbols.function("g_variant_ref_sink")
            release = try symbols.function("g_variant_unref")
            newString = try symbols.function("g_variant_new_string")
            newObjectPath = try symbols.function("g_variant_new_object_path")
            newBoolean = try symbols.function("g_variant_new_boolean")
            newVariant = try symbols.function("g_variant_new_variant")
            newTuple = try symbols.function("g_variant_new_tuple")
            newArray = try symbols.function("g_variant_new_array")
            newDictionaryEntry = try symbols.function("g_variant_new_dict_entry")
            type = try symbols.function("g_variant_get_type_string")
            count = try symbols.function("g_variant_n_children")
            child = try symbols.function("g_variant_get_child_value")
            inner = try symbols.function("g_variant_get_variant")
            string = try symbols.function("g_variant_get_string")
            boolean = try symbols.function("g_variant_get_boolean")
            uint32 = try symbols.function("g_variant_get_uint32")
            uint64 = try symbols.function("g_variant_get_uint64")
            isObjectPath = try symbols.function("g_variant_is_object_path")
        }
    }

    struct Objects: Sendable {
        let release: @convention(c) @Sendable (Pointer) -> Void
        let new: @convention(c) @Sendable (UInt, UInt32, UnsafePointer<Text?>, Pointer) -> Pointer?
        let initialize: @convention(c) @Sendable (Pointer, Pointer?, ErrorPlace) -> Int32
        let beginValue: @convention(c) @Sendable (Pointer, UInt) -> Pointer?
        let endValue: @convention(c) @Sendable (Pointer) -> Void
        let setString: @convention(c) @Sendable (Pointer, Text) -> Void
        let setFlags: @convention(c) @Sendable (Pointer, UInt32) -> Void
        let setObject: @convention(c) @Sendable (Pointer, Pointer) -> Void
        let setEnumeration: @convention(c) @Sendable (Pointer, Int32) -> Void
        let setProperty: @convention(c) @Sendable (Pointer, Text, Pointer) -> Void
        let describeType: @convention(c) @Sendable (UInt, Pointer) -> Void
        /// Parent, name, size of the class, class initializer, size of an instance, instance initializer, flags.
        let newType: @convention(c) @Sendable (UInt, Text, UInt32, ClassInitializer, UInt32, Pointer?, UInt32) -> UInt

        init(_ symbols: LibrarySymbols) throws(CredentialStoreError) {
            release = try symbols.function("g_object_unref")
            new = try symbols.function("g_object_new_with_properties")
            initialize = try symbols.function("g_initable_init")
            beginValue = try symbols.function("g_value_init")
            endValue = try symbols.function("g_value_unset")
            setString = try symbols.function("g_value_set_string")
            setFlags = try symbols.function("g_value_set_flags")
            setObject = try symbols.function("g_value_set_object")
            setEnumeration = try symbols.function("g_value_set_enum")
            setProperty = try symbols.function("g_object_set_property")
            describeType = try symbols.function("g_type_query")
            newType = try symbols.function("g_type_register_static_simple")
        }
    }

    /// GMainContext: where signals of the bus arrive.
    struct Loops: Sendable {
        let new: @convention(c) @Sendable () -> Pointer?
        let release: @convention(c) @Sendable (Pointer) -> Void
        let enter: @convention(c) @Sendable (Pointer) -> Void
        let leave: @convention(c) @Sendable (Pointer) -> Void
        let turn: @convention(c) @Sendable (Pointer, Int32) -> Int32
        let wake: @convention(c) @Sendable (Pointer) -> Void

        init(_ symbols: LibrarySymbols) throws(CredentialStoreError) {
            new = try symbols.function("g_main_context_new")
            release = try symbols.function("g_main_context_unref")
            enter = try symbols.function("g_main_context_push_thread_default")
            leave = try symbols.function("g_main_context_pop_thread_default")
            turn = try symbols.function("g_main_context_iteration")
            wake = try symbols.function("g_main_context_wakeup")
        }
    }
}
#endif
