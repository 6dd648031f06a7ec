import CredentialStorage

extension SessionEngine {
    /// Handles a change that the store reported. Returns when the session has re-read the record because of it.
    func hear(_ change: CredentialChange) async {
        switch change {
        case .changed(_, to: let version?): feed(.hinted(.written(version)))
        case .changed(_, to: nil): feed(.hinted(.deleted))
        case .missedSome: feed(.hinted(.missed))
        }
        await look?.value
    }

    /// Runs before the store is read for the first time, so that no change in between is missed. An idle session does not listen.
    func listen(because event: SessionMachine.Event) {
        guard let changes = configuration.storeChanges else { return }
        if listening == nil {
            listening = changes.listen(for: self)
        } else if case .wanted = event {
            listening?.resume()
        }
    }
}
