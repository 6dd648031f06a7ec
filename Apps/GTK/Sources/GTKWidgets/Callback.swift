import CWidgets

/// A closure on its way through C. Whoever is handed it holds it until it is let go of there.
@MainActor
final class Callback {
    private let closure: @MainActor () -> Void

    private init(_ closure: @escaping @MainActor () -> Void) {
        self.closure = closure
    }

    /// Lives until `release` is called, which each function that takes one does once.
    static func passing(_ closure: @escaping @MainActor () -> Void) -> CWCallback {
        CWCallback(
            call: { context in
                // GTK calls back on the thread of its main loop, which is the main one.
                let callback = Unmanaged<Callback>.fromOpaque(context).takeUnretainedValue()
                MainActor.assumeIsolated { callback.closure() }
            },
            context: Unmanaged.passRetained(Callback(closure)).toOpaque(),
            release: { context in Unmanaged<Callback>.fromOpaque(context).release() })
    }
}
