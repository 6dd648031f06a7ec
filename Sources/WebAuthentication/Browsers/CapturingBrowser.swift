/// A separate browser process that delivers callbacks itself, so that no other program can claim them.
protocol CapturingBrowser: PageOpener {
    /// Prepares for one sign-in, without showing anything yet.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotReceive` if this browser does not deliver callbacks of that kind.
    func capture(_ callback: CallbackMethod) async throws(WebAuthenticationError) -> Capture
}

/// A receiver, and the opener whose single window delivers the callback to it.
struct Capture: Sendable {
    let receiver: any CallbackReceiver
    let opener: any PageOpener
}
