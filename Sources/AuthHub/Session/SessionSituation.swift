#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where a session stands, in few bytes; people are shown its ``state``.
struct SessionSituation: Sendable {
    var knowledge = SessionMachine.Knowledge.unknown
    var activity = SessionMachine.Activity.none
    var problem: SessionError?
    var nextTry: Date?
    var notice: SessionState.Notice?

    var state: SessionState {
        switch (activity, knowledge) {
        case (.signingIn, _): .signingIn(notice)
        case (.exchanging, _): .exchanging
        case (.signingOut, _): .signingOut
        case (.reading, .unknown): .loading
        case (_, .unknown): .unknown
        case (_, .signedOut): .signedOut(problem.map(SessionState.Problem.init))
        case (_, .signedIn(let held)):
            .signedIn(
                SessionState.SignedIn(
                    held, isRefreshing: activity == .refreshing, problem: problem.map(SessionState.Problem.init), nextTry: nextTry))
        }
    }

    /// The credential that requests may use now without asking the machine: none while it is renewed, since a server may have refused it.
    var held: HeldCredential? {
        if case .signedIn(let held) = knowledge, activity != .signingOut, activity != .refreshing { held } else { nil }
    }

    /// The same where nothing is under way that may bring another: the machine would answer with it at once.
    var settled: HeldCredential? { activity == .none ? held : nil }
}
