public import HTTPLoading
public import OAuthProtocol

extension LoadResponse {
    /// What the request needs that the session's access token lacks: more scope (RFC 6750 §3.1), or a stronger or newer authentication
    /// (RFC 9470). Pass it to `OAuthSession.stepUp(_:)` if the user agrees.
    ///
    /// nil for every other response, and for those of servers that did not get the token. If there is such a requirement, nothing was
    /// refreshed or sent again, and no page was shown: another token of the same sign-in would be rejected as well.
    public var stepUpRequirement: StepUpRequirement? {
        notes.isAuthorized ? StepUpRequirement(head) : nil
    }
}
