import CredentialStorage

extension SessionEngine {
    /// Takes in what the store told, and returns when the session has looked into the store because of it.
    func hear(_ change: CredentialChange) async {
        switch change {
        case .changed(_, to: let version?): feed(.hinted(.written(version)))
        case .changed(_, to: nil): feed(.hinted(.deleted))
        case .missedSome: feed(.hinted(.missed))
        }
        await look?.value
    }

    /// Before the store is read for the first time, so that nothing goes unheard in between. A session that does nothing does not listen.
    func listen(because event: SessionMachine.Event) {
        guard let changes = configuration.storeChanges else { return }
        if listening == nil {
            listening = changes.listen(for: self)
        } else if case .wanted = event {
            listening?.resume()
        }
    }
}
