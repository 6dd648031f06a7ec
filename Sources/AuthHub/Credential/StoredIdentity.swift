import AuthHubPrimitives

/// What a server said about the user of a credential. A class, so that a session, which has several copies of its credential without this,
/// needs only one pointer in each.
final class StoredIdentity: Sendable {
    /// The verified ID token of the sign-in, or of the last refresh that returned one.
    let idToken: Secret<String>?
    /// The description of the user in the callback of the sign-in, as JSON; nil if there was none.
    let user: Secret<String>?
    /// The user whom the tokens belong to; nil if it is not known.
    let person: SignedInUser?

    init(idToken: Secret<String>?, user: Secret<String>?, person: SignedInUser?) {
        self.idToken = idToken
        self.user = user
        self.person = person
    }
}
