@testable import AuthHub

/// An activity of a session outside its state machine, as a program of steps. Each step is one action that others can observe: one call
/// of the store, one response of the server, or one event for the machine. Anything else may happen between two steps.
///
/// The programs follow the code: `Refresher` (lease → read again → room? → send → compare-and-set → release → report; of an odd response
/// only the refresh token, with the old one to try next; those whose ID token is not valid are revoked), `SignInFlow` (page → may I send the code? →
/// exchange → still wanted? → read the stored record → compare-and-set, again if necessary → report; without the page if the program has
/// received the callback), `SessionEngine` (read; re-read; sign-out: read → delete → report → requests end → revoke → report → page;
/// discard: delete → revoke). If you change one of these types, change its program here, too. The record that a sign-out writes before
/// the deletion is left out, because it matters only if the process is killed, and no session uses it.
struct ModelJob: Hashable {
    enum Kind: Hashable {
        case read, refresh, signIn, finishSignIn, signOut, discard, look
    }

    enum Step: Hashable {
        case readStore
        // The steps of refreshing a held credential.
        case takeLease(held: Int, isRejected: Bool)
        case readAgain(held: Int, isRejected: Bool)
        case send(Int)
        /// The server has not accepted the newest refresh token of the stored credential.
        case sendOther(Int, for: Int)
        /// The process was asleep: the response is in the socket, but the request has timed out.
        case wake(Answer, to: Int)
        /// Only the refresh token is stored. If an access token is still needed, this refresh token is used next.
        case saveKept(Int, replacing: Int, isForAnother: Bool)
        case revokeRejected(Int)
        case saveRenewed(Int, replacing: Int)
        case revokeRenewed(Int, standing: Int?)
        case askWhetherUnsavedIsWanted(Int)
        case revokeUnsaved(Int)
        case readAfterRefusal(of: Int)
        case deleteRefused(Int)
        case releaseLease(Outcome)
        case reportRefresh(Outcome)
        // The steps of a sign-in.
        case page
        case askWhetherToExchange
        case exchange
        case askWhetherWanted(Int)
        case lookBeforeSaving(Int)
        case saveSignedIn(Int, replacing: Int?)
        case revokeUnwanted(Int)
        case revokeUnstorable(Int)
        case reportSignIn(Outcome)
        // The steps of a read, of a re-read because of a hint, of a sign-out, and of discarding a credential.
        case reportRead(Outcome)
        case lookAgain
        case reportLook(Outcome)
        case readForSignOut
        case deleteForSignOut(Int)
        case deleteUnread
        case reportDeletion(Outcome, taken: Int?)
        case endRequests(Outcome, taken: Int?)
        case revokeSignedOut(Int?)
        case reportRevocation
        case signOutPage
        case deleteDiscarded(Int)
        case revokeDiscarded(Int)
    }

    enum Answer: Hashable {
        case token(Int)
        case invalidGrant
    }

    enum Outcome: Hashable {
        case credential(Int)
        /// The response contained a new refresh token, but no usable access token.
        case kept(Int)
        /// No one is signed in.
        case nothing
        case unreachable
        case storeFailed
        case cancelled
        case closed
    }

    let kind: Kind
    let epoch: UInt64
    var step: Step
    var isCancelled = false
    var holdsLease = false
    /// Whether the sign-in was allowed to store its tokens. A sign-out then waits for its report.
    var isStoring = false
}

extension ModelJob {
    /// Whether this is a sign-out that has neither deleted the record nor found out that it cannot be deleted.
    var isDeletingForSignOut: Bool {
        switch step {
        case .readForSignOut, .deleteForSignOut, .deleteUnread: true
        default: false
        }
    }

    /// The credentials that the job would store or revoke, or that the process has not read yet.
    var inMemory: [Int] {
        switch step {
        case .wake(.token(let number), _), .saveKept(let number, _, _), .revokeRejected(let number), .saveRenewed(let number, _),
            .revokeRenewed(let number, _), .revokeUnsaved(let number), .askWhetherWanted(let number), .lookBeforeSaving(let number),
            .saveSignedIn(let number, _), .revokeUnwanted(let number), .revokeUnstorable(let number), .revokeSignedOut(let number?),
            .reportDeletion(_, taken: let number?), .endRequests(_, taken: let number?), .deleteDiscarded(let number),
            .revokeDiscarded(let number):
            [number]
        default: []
        }
    }

    var hasDeletedForSignOut: Bool {
        switch step {
        case .reportDeletion(.nothing, _), .endRequests(.nothing, _), .revokeSignedOut, .reportRevocation, .signOutPage: true
        default: false
        }
    }
}

/// A rule of the code that the model omits, to check that the explorer finds the violations that the rule prevents.
enum PlantedFault: CaseIterable {
    case noLease, noReadingAgain, noCompareAndSet, noEpochCheck, handingOutBeforeStoring, signingOutWhileStoring,
        signingOutWhileACallbackIsStored, forgettingWhatIsUnsaved, revokingUnsavedAfterAFailedSignOut, nothingHeard, deafWhileBusy,
        discardingOddAnswers, givingUpOnWaking, keepingWhatIsRejected, forgettingPauses, forgettingWhoDeclined, servingEveryStepUp,
        forgettingTheOtherRefreshToken, missingThatNothingWasDeleted, revokingBeforeRequestsEnd, showingThePageBeforeRevoking
}
