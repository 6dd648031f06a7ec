/// The policy for pushed authorization requests (RFC 9126): the client sends a request directly to the server before the browser opens, so
/// no one can read or change the request in the browser.
///
/// If the server's metadata contains `"require_pushed_authorization_requests": true`, requests are pushed whatever the policy is.
public enum PushedAuthorizationPolicy: String, Sendable, Hashable, CaseIterable {
    /// Requests are pushed if the server has an endpoint for them.
    case whenSupported = "when_supported"
    /// Requests are always pushed. If the server has no endpoint for them, the sign-in fails.
    case always
    /// Requests are pushed only if the server requires it.
    case neverUnlessRequired = "never_unless_required"
}
