/// When an authorization request is sent over the back channel first (RFC 9126), where no one else can read or change it.
///
/// If the server's metadata has `require_pushed_authorization_requests`, requests are pushed whatever the policy.
public enum PushedAuthorizationPolicy: String, Sendable, Hashable, CaseIterable {
    /// If the server has an endpoint for pushed requests.
    case whenSupported = "when_supported"
    /// Always; the sign-in fails if the server has no endpoint for it.
    case always
    /// Only if the server requires it.
    case neverUnlessRequired = "never_unless_required"
}
