import CredentialStorage

#if !canImport(Darwin)
extension LibSecret {
    /// Connection, sender, path, interface, name of the signal, its values, and the user data of the subscription.
    typealias SignalHandler = @convention(c) (Pointer?, Text?, Text?, Text?, Text?, Pointer?, Pointer?) -> Void

    struct Bus: Sendable {
        let newCancellable: @convention(c) @Sendable () -> Pointer?
        let cancel: @convention(c) @Sendable (Pointer) -> Void
        let connect: @convention(c) @Sendable (Text, UInt32, Pointer?, Pointer?, ErrorPlace) -> Pointer?
        let connectionType: @convention(c) @Sendable () -> UInt
        let kindType: @convention(c) @Sendable () -> UInt
        let proxyFlagsType: @convention(c) @Sendable () -> UInt
        /// Connection, owner, path, interface, method, arguments, type of the reply, flags, milliseconds, cancellable, error.
        let callNow:
            @convention(c) @Sendable (
                Pointer, Text, Text, Text, Text, Pointer?, Text?, UInt32, Int32, Pointer?, ErrorPlace
            ) -> Pointer?
        let close: @convention(c) @Sendable (Pointer, Pointer?, Pointer?, Pointer?) -> Void
        let isClosed: @convention(c) @Sendable (Pointer) -> Int32
        let stream: @convention(c) @Sendable (Pointer) -> Pointer?
        let socket: @convention(c) @Sendable (Pointer) -> Pointer?
        let descriptor: @convention(c) @Sendable (Pointer) -> Int32
        /// Connection, sender, interface, signal, path, first argument, flags, handler, its user data, how to free the user data.
        let subscribe:
            @convention(c) @Sendable (
                Pointer, Text?, Text, Text, Text, Text?, UInt32, SignalHandler, Pointer?, Pointer?
            ) -> UInt32
        let unsubscribe: @convention(c) @Sendable (Pointer, UInt32) -> Void
        let remoteError: @convention(c) @Sendable (Pointer) -> UnsafeMutablePointer<CChar>?
        let ioErrorDomain: @convention(c) @Sendable () -> UInt32

        init(_ symbols: LibrarySymbols) throws(CredentialStoreError) {
            newCancellable = try symbols.function("g_cancellable_new")
            cancel = try symbols.function("g_cancellable_cancel")
            connect = try symbols.function("g_dbus_connection_new_for_address_sync")
            connectionType = try symbols.function("g_dbus_connection_get_type")
            kindType = try symbols.function("g_bus_type_get_type")
            proxyFlagsType = try symbols.function("g_dbus_proxy_flags_get_type")
            callNow = try symbols.function("g_dbus_connection_call_sync")
            close = try symbols.function("g_dbus_connection_close")
            isClosed = try symbols.function("g_dbus_connection_is_closed")
            stream = try symbols.function("g_dbus_connection_get_stream")
            socket = try symbols.function("g_socket_connection_get_socket")
            descriptor = try symbols.function("g_socket_get_fd")
            subscribe = try symbols.function("g_dbus_connection_signal_subscribe")
            unsubscribe = try symbols.function("g_dbus_connection_signal_unsubscribe")
            remoteError = try symbols.function("g_dbus_error_get_remote_error")
            ioErrorDomain = try symbols.function("g_io_error_quark")
        }
    }

    /// libsecret itself: the encrypted session with the service, and memory that is wiped when it is freed.
    struct Secrets: Sendable {
        let serviceType: @convention(c) @Sendable () -> UInt
        let ensureSession: @convention(c) @Sendable (Pointer, Pointer?, ErrorPlace) -> Int32
        let sessionAlgorithms: @convention(c) @Sendable (Pointer) -> Text?
        let sessionPath: @convention(c) @Sendable (Pointer) -> Text?
        let encode: @convention(c) @Sendable (Pointer, Pointer) -> Pointer?
        let decode: @convention(c) @Sendable (Pointer, Pointer) -> Pointer?
        let newValue: @convention(c) @Sendable (UnsafePointer<UInt8>, Int, Text) -> Pointer?
        let bytes: @convention(c) @Sendable (Pointer, UnsafeMutablePointer<Int>) -> UnsafePointer<UInt8>?
        let releaseValue: @convention(c) @Sendable (Pointer) -> Void

        init(_ symbols: LibrarySymbols) throws(CredentialStoreError) {
            serviceType = try symbols.function("secret_service_get_type")
            ensureSession = try symbols.function("secret_service_ensure_session_sync")
            sessionAlgorithms = try symbols.function("secret_service_get_session_algorithms")
            sessionPath = try symbols.function("secret_service_get_session_dbus_path")
            encode = try symbols.function("secret_service_encode_dbus_secret")
            decode = try symbols.function("secret_service_decode_dbus_secret")
            newValue = try symbols.function("secret_value_new")
            bytes = try symbols.function("secret_value_get")
            releaseValue = try symbols.function("secret_value_unref")
        }
    }
}
#endif
