import OAuthProtocol

/// The reason why an account cannot be relabeled or removed, as an ``SessionError/underlying`` error, for programs that suggest a fix.
package enum AccountProblem: Error, Hashable {
    /// Nothing is stored under the label.
    case unknown
    /// The new label belongs to another account.
    case labelTaken
    /// The new label belongs to another account, and no one is signed in under the old one.
    case labelTakenBySignedOut
    /// The tokens of an earlier sign-out are not revoked yet, and only the label leads to them.
    case revocationPending
    /// Another process is signing in to the account or relabeling it.
    ///
    /// - Parameter holder: The process's ID; nil if it is not known.
    case inUse(holder: Int32?)
}

extension SessionError {
    init(_ problem: AccountProblem, label: String, target: String = "") {
        switch problem {
        case .unknown:
            self.init(.signInNeeded, "there is no account “\(label)”", underlying: problem)
        case .labelTaken:
            self.init(.misconfigured, "there is already an account “\(target)”", underlying: problem)
        case .labelTakenBySignedOut:
            self.init(
                .misconfigured, "no one is signed in as “\(label)”, and there is already an account “\(target)”", underlying: problem)
        case .revocationPending:
            self.init(.storeFailed, "the tokens of “\(label)” are not revoked yet; sign out again first", underlying: problem)
        case .inUse(let holder):
            let other = holder.map { "process \($0)" } ?? "another process"
            self.init(.storeFailed, "\(other) is signing in to this account or renaming it", underlying: problem)
        }
    }

    /// The reason why an account cannot be relabeled or removed; nil for all other errors.
    package var accountProblem: AccountProblem? { underlying as? AccountProblem }
}
