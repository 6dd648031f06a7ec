public import HTTPLoading
public import OAuthProtocol

extension LoadResponse {
    /// What the request would need that the session's access token does not have: more scope (RFC 6750 §3.1), or a stronger or newer
    /// sign-in (RFC 9470). For `OAuthSession.stepUp(_:)`, when the person agrees to it.
    ///
    /// nil for every other answer, and for those of servers that did not see the token. Where there is such a need nothing was renewed
    /// and nothing sent again, and no page was shown: another token of the same sign-in would be refused as well.
    public var stepUpRequirement: StepUpRequirement? {
        notes.isAuthorized ? StepUpRequirement(head) : nil
    }
}
