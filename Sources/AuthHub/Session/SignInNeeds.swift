import OAuthProtocol

/// What the sign-in under way asks for beyond the usual, and whom not to ask again. Takes one word: most sessions never need it.
struct SignInNeeds: Sendable {
    private struct Content: Equatable {
        var asked = StepUpRequirement()
        var refused: UInt64?
        var declined: UInt64?
    }

    private indirect enum Storage {
        case empty
        case content(Content)
    }

    private var storage = Storage.empty

    private var content: Content {
        get { if case .content(let content) = storage { content } else { Content() } }
        set { storage = newValue == Content() ? .empty : .content(newValue) }
    }
}

extension SignInNeeds {
    /// What the page that was shown last asks for.
    var asked: StepUpRequirement { content.asked }

    /// The generation of the credential that someone last wanted another one for.
    var refused: UInt64? {
        get { content.refused }
        set { content.refused = newValue }
    }

    /// The generation of the credential that there was when asking the user last came to nothing.
    var declined: UInt64? { content.declined }

    /// A user who ended a sign-in by choice is not asked again; nor is anyone if the server rejected the program's request.
    mutating func signInFailed(_ error: SessionError, holding held: HeldCredential?) {
        let error = error.withoutStrangers
        guard error.whoHasToAct == .person || (error.whoHasToAct == .program && error.serverError != nil) else { return }
        content.declined = held?.generation ?? refused
    }

    /// Notes what a page that is shown now asks for. If more is needed, what is granted is asked for again: a server may grant nothing but
    /// what the last request asked for.
    mutating func ask(for needs: [StepUpRequirement], granted: Scope?) {
        var asked = needs.reduce(StepUpRequirement()) { $0.union($1) }
        if let granted, !needs.isEmpty { asked.scope = granted.union(asked.scope) }
        content.asked = asked
    }
}
