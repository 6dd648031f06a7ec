import AuthHubPrimitives

/// What the user accepted in an earlier sign-in at a resource. It says nothing about another issuer.
package struct EarlierSignIn: Sendable {
    let issuer: String
    let isConfirmed: Bool
    let skipsProofKeyCheck: Bool

    package init(at issuer: String, isConfirmed: Bool, skipsProofKeyCheck: Bool = false) {
        (self.issuer, self.isConfirmed, self.skipsProofKeyCheck) = (issuer, isConfirmed, skipsProofKeyCheck)
    }

    func at(_ issuer: String) -> Self? { self.issuer.hasSameBytes(as: issuer) ? self : nil }
}
