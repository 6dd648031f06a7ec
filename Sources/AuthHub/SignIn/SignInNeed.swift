import AuthHubPrimitives
import OAuthProtocol

/// What a sign-in requests beyond the session's configuration: the options of a sign-in, or the requirement of a step-up.
struct SignInNeed: Sendable, Hashable {
    /// The additional scope, and the required strength and age of the authentication.
    var requirement = StepUpRequirement()
    /// Whether to request the scope that is already granted, too.
    var keepsGrantedScope = false
    var loginHint: String?
    var prompt: String?
    var parameters = FormParameters()
}

extension SignInNeed {
    init(_ requirement: StepUpRequirement) {
        self.init(requirement: requirement, keepsGrantedScope: true)
    }

    init(_ options: SignInOptions) {
        self.init(
            requirement: StepUpRequirement(acrValues: options.acrValues, maximumAge: options.maximumAge), loginHint: options.loginHint,
            prompt: options.prompt, parameters: options.parameters)
    }

    var scope: Scope { requirement.scope }

    /// Whether the server must not ask the user anything.
    var isSilent: Bool { prompt == "none" }

    /// The same need, with a page that asks the user for consent.
    var askingForConsent: Self {
        var need = self
        need.prompt = "consent"
        return need
    }

    /// Whether a sign-in of another session cannot meet this need, because it is unknown what its page requested and how the user
    /// authenticated. A hint requires nothing, because the user decides who signs in.
    var needsOwnPage: Bool {
        !requirement.acrValues.isEmpty || requirement.maximumAge != nil || prompt != nil || !parameters.parameters.isEmpty
    }

    /// Whether a page for this need also requests everything that another need requires. A hint requires nothing.
    func covers(_ other: SignInNeed) -> Bool {
        requirement.covers(other.requirement) && (other.prompt == nil || other.prompt == prompt)
            && (other.parameters.parameters.isEmpty || other.parameters == parameters)
    }

    /// Whether one page can request both needs.
    func canShareAPage(with other: SignInNeed) -> Bool {
        isSilent == other.isSilent && (prompt == nil || other.prompt == nil || prompt == other.prompt)
            && (parameters.parameters.isEmpty || other.parameters.parameters.isEmpty || parameters == other.parameters)
    }

    /// Returns a need that covers both. They must be able to share a page.
    func union(_ other: SignInNeed) -> SignInNeed {
        SignInNeed(
            requirement: requirement.union(other.requirement), keepsGrantedScope: keepsGrantedScope || other.keepsGrantedScope,
            loginHint: loginHint ?? other.loginHint, prompt: prompt ?? other.prompt,
            parameters: parameters.parameters.isEmpty ? other.parameters : parameters)
    }

    /// The additional parameters of the authorization request, with the hint and the prompt.
    var requestParameters: FormParameters {
        var all = parameters
        all.append("login_hint", ifPresent: loginHint)
        all.append("prompt", ifPresent: prompt)
        return all
    }

    /// Checks that this has nothing that only an authorization request can send.
    ///
    /// - Parameter grant: The grant, for the error message.
    /// - Throws: ``SessionError`` with `.cannotSignInHere`.
    func requireNoPage(_ grant: String) throws(SessionError) {
        var names = requestParameters.parameters.map(\.name)
        if requirement.maximumAge != nil { names.append("max_age") }
        if !requirement.acrValues.isEmpty { names.append("acr_values") }
        guard !names.isEmpty else { return }
        let list = displayable(names.joined(separator: ", "), limit: 200)
        throw SessionError(.cannotSignInHere, "\(grant) cannot send \(list); sign in on a page in a browser, or leave them out")
    }
}
