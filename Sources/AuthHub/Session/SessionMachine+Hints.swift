import CredentialStorage
import Platform

/// How the session handles reports from the store that others have changed the record.
///
/// A hint says when to re-read the record, not what is stored: hints may be late, out of order or missing. A session that has never read
/// the store has nothing to update, and ignores hints.
extension SessionMachine {
    enum Hint: Hashable {
        case written(CredentialVersion)
        case deleted
        /// The store may have missed changes, so anything may have changed.
        case missed
    }

    /// The state of the re-read that hints cause.
    enum Look: Hashable {
        case none
        case underWay
        /// The session has received a credential that may be newer than the one being read.
        case outdated
        /// The store failed. The next caller or the next hint causes another re-read.
        case failed
    }

    /// The maximum number of hints to keep; more are replaced by a single `.missed`.
    private static let mostHints = 8

    mutating func hear(_ hint: Hint) {
        if case .unknown = knowledge { return }
        hasHeard = true
        if look == .failed { look = .none }
        Self.insert(hint, into: &hints)
    }

    /// Re-reads the record if there are unanswered hints. A refresh, an exchange and a read will soon read the record anyway. A page may be
    /// shown for minutes, so the record is re-read while it is shown. Any of these may end with a result from before the hint; the hints
    /// are then compared again.
    mutating func lookIfDue() -> [Action] {
        switch activity {
        case .none:
            hints.formUnion(hintsMeanwhile)
            hintsMeanwhile = []
            hints = hints.filter { !isAnswered($0) }
        case .signingIn:
            for hint in hints { Self.insert(hint, into: &hintsMeanwhile) }
            hints = hints.filter { !isAnswered($0) }
        case .reading, .refreshing, .exchanging, .signingOut:
            return []
        }
        guard !hints.isEmpty, look == .none else { return [] }
        hints = []
        look = .underWay
        return [.lookAgain]
    }

    private static func insert(_ hint: Hint, into hints: inout Set<Hint>) {
        if hints.count < mostHints { hints.insert(hint) } else { hints = [.missed] }
    }

    mutating func takeLooked(
        _ answer: Result<(Credential, CredentialVersion)?, SessionError>, epoch: UInt64, at now: Date
    ) -> [Action] {
        guard isLooking else { return [] }
        let isOutdated = look == .outdated || epoch != self.epoch
        look = .none
        guard !isOutdated, activity == .none || activity == .signingIn else {
            hear(.missed)
            return []
        }
        switch answer {
        case .success(let (credential, version)?):
            return answerSignIn(with: know(credential, version, from: .store), at: now)
        case .success(nil):
            forget(because: held == nil ? problem : nil)
            return []
        case .failure:
            hear(.missed)
            look = .failed
            return []
        }
    }

    /// Whether the store is being read after a hint.
    var isLooking: Bool { look == .underWay || look == .outdated }

    mutating func outdateLook() {
        if look == .underWay { look = .outdated }
    }

    private func isAnswered(_ hint: Hint) -> Bool {
        switch (hint, knowledge) {
        case (_, .unknown): true
        case (.written(let version), .signedIn(let held)): held.version == version
        case (.deleted, .signedOut): true
        default: false
        }
    }

    /// Answers the waiters that the credential satisfies. The page stays open for the others.
    private mutating func answerSignIn(with held: HeldCredential, at now: Date) -> [Action] {
        let answers = answer(.success(held)) { held.satisfies($0, at: now) }
        guard activity == .signingIn, waiters.isEmpty, !answers.isEmpty else { return answers }
        isCancellingSignIn = true
        return answers + [.cancelSignIn]
    }
}
