public import HTTPLoading
public import OAuthProtocol

extension LoadResponse {
    /// The requirement of the request that the session's access token does not meet: more scope (RFC 6750 §3.1), or a stronger or more
    /// recent authentication (RFC 9470). If the user agrees, pass the requirement to `OAuthSession.stepUp(_:)`.
    ///
    /// nil for every other response, and for responses to requests that were sent without the token. If there is a requirement, the session
    /// has not refreshed the token, replayed the request or shown a page, because the server would reject another token of the same sign-in
    /// as well.
    public var stepUpRequirement: StepUpRequirement? {
        notes.isAuthorized ? StepUpRequirement(head) : nil
    }
}
