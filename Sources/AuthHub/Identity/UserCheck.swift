/// What happens if a sign-in brings a different user than the account had.
///
/// With a check, a session also asks the provider's account endpoint who signed in, if there is no ID token.
package struct UserCheck: Sendable {
    /// Returns whether the new user's tokens replace those of the old user. Called before anything is stored, and again if the account has
    /// another user by then.
    let replaces: @Sendable (_ old: SignedInUser, _ new: SignedInUser) async -> Bool

    package init(replaces: @escaping @Sendable (_ old: SignedInUser, _ new: SignedInUser) async -> Bool) {
        self.replaces = replaces
    }

    /// The underlying error of a sign-in that was rejected because of its user.
    package struct DifferentUser: Error {
        package let old: SignedInUser
        package let new: SignedInUser
    }
}

extension SessionError {
    init(_ users: UserCheck.DifferentUser) {
        self.init(.misconfigured, "a different user signed in; nothing was stored", underlying: users)
    }
}
