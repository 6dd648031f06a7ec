import OAuthProtocol

/// The requirements of the current sign-in beyond the defaults, and the credentials for which not to ask the user again. One word in size,
/// because most sessions never need it.
struct SignInNeeds: Sendable {
    private struct Content: Equatable {
        var asked = SignInNeed()
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
    /// The requirements of the page that was shown last.
    var asked: SignInNeed { content.asked }

    /// The generation of the credential for which a caller last requested a replacement.
    var refused: UInt64? {
        get { content.refused }
        set { content.refused = newValue }
    }

    /// The generation of the credential that was in use when the user last declined to sign in, or the request was rejected.
    var declined: UInt64? { content.declined }

    /// If the user cancelled a sign-in, the user is not asked again. The same applies if the server rejected the program's request.
    mutating func signInFailed(_ error: SessionError, holding held: HeldCredential?) {
        let error = error.withoutStrangers
        guard error.whoHasToAct == .user || (error.whoHasToAct == .program && error.serverError != nil) else { return }
        content.declined = held?.generation ?? refused
    }

    /// Records the requirements of a page that is shown now: those of the first caller, and of all others that can share its page. For a
    /// step-up, the scope already granted is requested again, because a server may grant only the scope of the last request.
    mutating func ask(for needs: [SignInNeed], granted: Scope?) {
        var asked = needs.dropFirst().reduce(needs.first ?? SignInNeed()) { $0.canShareAPage(with: $1) ? $0.union($1) : $0 }
        if let granted, asked.keepsGrantedScope { asked.requirement.scope = granted.union(asked.scope) }
        content.asked = asked
    }
}
