import CredentialStorage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What follows from what the store tells of changes that others make.
///
/// A hint says when to look, never what is stored: hints may come late, in another order, or not at all. A session that has never read the
/// store has nothing to correct, and does not look.
extension SessionMachine {
    enum Hint: Hashable {
        case written(CredentialVersion)
        case deleted
        /// Anything may have happened.
        case missed
    }

    /// The look into the store that hints lead to.
    enum Look: Hashable {
        case none
        case underWay
        /// Something else has brought what may be newer than what is being read.
        case outdated
        /// The store failed: the next caller, or the next hint, leads to another look.
        case failed
    }

    /// More hints than these at a time say no more than that something has changed.
    private static let mostHints = 8

    mutating func hear(_ hint: Hint) {
        if case .unknown = knowledge { return }
        hasHeard = true
        if look == .failed { look = .none }
        Self.insert(hint, into: &hints)
    }

    /// A refresh, an exchange and a read find what there is by themselves, and soon. A page may be shown for minutes, so that the look is
    /// taken beside it. Whatever is under way may end with what was true before the hint: then it is compared again.
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

    /// A page that is shown goes on for those whom the credential does not serve.
    private mutating func answerSignIn(with held: HeldCredential, at now: Date) -> [Action] {
        let answers = answer(.success(held)) { held.satisfies($0, at: now) }
        guard activity == .signingIn, waiters.isEmpty, !answers.isEmpty else { return answers }
        isCancellingSignIn = true
        return answers + [.cancelSignIn]
    }
}
