/// Whether an authorization request goes over the back channel first (RFC 9126), where nobody can read or change it.
///
/// Where the server's metadata says `require_pushed_authorization_requests`, it does whatever the policy.
public enum PushedAuthorizationPolicy: String, Sendable, Hashable, CaseIterable {
    /// Where the server has the endpoint for it.
    case whenSupported = "when_supported"
    /// Or there is no sign-in.
    case always
    /// Only where the server demands it.
    case neverUnlessRequired = "never_unless_required"
}
