import AuthHubPrimitives
import OAuthProtocol

extension PendingSignIns {
    /// Returns the sign-in that waits for a callback, without using it up.
    ///
    /// - Throws: ``SessionError`` with `.securityCheckFailed` if no sign-in waits for it. A forged callback is rejected here and removes
    ///   nothing.
    func expecting(_ callback: AuthorizationCallback) async throws(SessionError) -> PendingAuthorization {
        let waiting = try await all()
        if let pending = waiting.first(where: { $0.expects(callback) }) { return pending }
        guard waiting.count == 1, let only = waiting.first else { throw Self.noneExpects }
        throw Self.reason(for: only, notExpecting: callback)
    }

    static var noneExpects: SessionError {
        SessionError(
            .securityCheckFailed,
            "no sign-in is waiting for this callback; it was already used, its sign-in has expired, or it belongs to another account or program"
        )
    }

    /// If exactly one sign-in is waiting, the error can say what is wrong with the callback.
    private static func reason(for pending: PendingAuthorization, notExpecting callback: AuthorizationCallback) -> SessionError {
        var copy = pending
        do {
            // The time does not matter here: an unexpected callback is already rejected because of its state.
            _ = try copy.accept(callback, at: pending.expiresAt)
            return noneExpects
        } catch {
            return SessionError(error)
        }
    }
}
