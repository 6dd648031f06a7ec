import Platform

/// The current situation of a session in a few bytes. Its ``state`` is the form for display.
struct SessionSituation: Sendable {
    var knowledge = SessionMachine.Knowledge.unknown
    var activity = SessionMachine.Activity.none
    var problem: SessionError?
    var nextAttempt: Date?
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
                    held, isRefreshing: activity == .refreshing, problem: problem.map(SessionState.Problem.init), nextAttempt: nextAttempt))
        }
    }

    /// The credential that requests may use now without asking the machine; nil during a refresh, because a server may have rejected it.
    var held: HeldCredential? {
        if case .signedIn(let held) = knowledge, activity != .signingOut, activity != .refreshing { held } else { nil }
    }

    /// The same, but nil if an activity may produce another credential. The machine would return this one immediately.
    var settled: HeldCredential? { activity == .none ? held : nil }
}
