import AuthHubPrimitives

extension DevelopmentUser {
    /// Adds the claims that a scope allows (OpenID Connect Core 1.0 §5.4).
    func addClaims(to claims: inout JSONObject, scope: [String], issuer: String) {
        if scope.contains("profile") {
            claims["name"] = .string(name)
            claims["preferred_username"] = .string(login)
            claims["picture"] = .string("\(issuer)/avatars/\(id)")
        }
        if scope.contains("email") {
            claims["email"] = .string(email)
            claims["email_verified"] = true
        }
    }
}
