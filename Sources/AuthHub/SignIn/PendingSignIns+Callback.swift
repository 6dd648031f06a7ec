import AuthHubPrimitives
import OAuthProtocol

extension PendingSignIns {
    /// The sign-in that waits for a callback, which is not used up by asking.
    ///
    /// - Throws: ``SessionError`` with `.securityCheckFailed` where none does. A stranger's callback ends here, and takes nothing away.
    func expecting(_ callback: Secret<String>) async throws(SessionError) -> PendingAuthorization {
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

    /// Where one sign-in waits, what is wrong with the callback can be told.
    private static func reason(for pending: PendingAuthorization, notExpecting callback: Secret<String>) -> SessionError {
        var judge = pending
        do {
            // The time of judgement does not matter: a callback that is not expected gets no further than its state.
            _ = try judge.accept(.url(callback), at: pending.expiresAt)
            return noneExpects
        } catch {
            return SessionError(error)
        }
    }
}
