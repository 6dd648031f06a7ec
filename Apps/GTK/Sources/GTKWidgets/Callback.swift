import CWidgets

/// A closure that is passed through C. The C code keeps it alive until it releases it.
@MainActor
final class Callback {
    private let closure: @MainActor () -> Void

    private init(_ closure: @escaping @MainActor () -> Void) {
        self.closure = closure
    }

    /// Returns a closure for C. It stays alive until `release` is called, which each C function with a closure does once.
    static func passing(_ closure: @escaping @MainActor () -> Void) -> CWCallback {
        CWCallback(
            call: { context in
                // GTK calls back on the thread of its main loop, which is the main thread.
                let callback = Unmanaged<Callback>.fromOpaque(context).takeUnretainedValue()
                MainActor.assumeIsolated { callback.closure() }
            },
            context: Unmanaged.passRetained(Callback(closure)).toOpaque(),
            release: { context in Unmanaged<Callback>.fromOpaque(context).release() })
    }
}
