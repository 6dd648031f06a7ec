import Synchronization

extension DevelopmentAuthorizationServer {
    /// Changes the quirks of ID tokens, keys and the userinfo endpoint from now on.
    package func changeOpenIDConnect(_ change: (inout Persona.OpenIDQuirks) -> Void) {
        state.openIDConnect.withLock { change(&$0) }
    }

    /// Replaces the keys that sign tokens. The old keys stay published.
    package func rotateKeys() { state.rotateKeys() }
    /// Withdraws the published keys that do not sign any more.
    package func withdrawKeys() { state.withdrawKeys() }
}
