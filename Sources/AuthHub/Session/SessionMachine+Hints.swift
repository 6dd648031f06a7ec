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
        guard !isAnswered(hint) else { return }
        if look == .failed { look = .none }
        if hints.count < Self.mostHints { hints.insert(hint) } else { hints = [.missed] }
    }

    /// A refresh, an exchange and a read find what there is by themselves, and soon; what they did not find is looked for afterwards. A page
    /// may be shown for minutes.
    mutating func lookIfDue() -> [Action] {
        hints = hints.filter { !isAnswered($0) }
        guard !hints.isEmpty, look == .none, activity == .none || activity == .signingIn else { return [] }
        hints = []
        look = .underWay
        return [.lookAgain]
    }

    mutating func takeLooked(
        _ answer: Result<(Credential, CredentialVersion)?, SessionError>, epoch: UInt64, at now: Date
    ) -> [Action] {
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
