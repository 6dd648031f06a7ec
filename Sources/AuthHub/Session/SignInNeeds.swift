import OAuthProtocol

/// What those who wait for a sign-in need of it beyond the usual, and whom not to ask again. An object: most sessions never need it.
final class SignInNeeds {
    private var waiting: [(id: UInt64, need: StepUpRequirement)] = []
    private var nextID: UInt64 = 0
    /// What the page that was shown last asks for.
    private(set) var asked = StepUpRequirement()
    /// The generation of the credential that someone last wanted another one for.
    var refused: UInt64?
    /// The generation of the credential that there was when asking the person last came to nothing.
    private(set) var declined: UInt64?

    func add(_ need: StepUpRequirement) -> UInt64 {
        nextID += 1
        waiting.append((nextID, need))
        return nextID
    }

    func remove(_ id: UInt64) {
        waiting.removeAll { $0.id == id }
    }

    /// Whom a sign-in ended for by their own choice is not asked again; nor is anyone where the server does not take the program's request.
    func signInFailed(_ error: SessionError, holding held: HeldCredential?) {
        let error = error.withoutStrangers
        guard error.whoHasToAct == .person || (error.whoHasToAct == .program && error.serverError != nil) else { return }
        declined = held?.generation ?? refused
    }

    /// What a page that is shown now has to ask for. Where more is needed, what is granted is asked for again: a server may grant nothing
    /// but what the last request asked for.
    func ask(granted: Scope?) -> StepUpRequirement {
        asked = waiting.reduce(StepUpRequirement()) { $0.union($1.need) }
        guard let granted, !waiting.isEmpty else { return asked }
        asked.scope = granted.union(asked.scope)
        return asked
    }
}
