/// A browser of our own that brings callbacks by itself, so that no other program can claim them.
protocol CapturingBrowser: PageOpener {
    /// Gets ready for one sign-in; nothing is shown yet.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotReceive` where this browser does not bring callbacks of that kind.
    func capture(_ callback: CallbackMethod) async throws(WebAuthenticationError) -> Capture
}

/// A receiver, and the opener whose one window brings it the callback.
struct Capture: Sendable {
    let receiver: any CallbackReceiver
    let opener: any PageOpener
}
