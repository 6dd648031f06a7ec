import AuthHubPrimitives

extension Persona.OpenIDQuirks {
    /// Returns the claims about the user in an ID token.
    func userClaims(of user: DevelopmentUser, scope granted: [String], requested: [String], issuer: String) -> JSONObject {
        var all = JSONObject()
        let scope =
            userClaimsNeedRequest ? ["profile", "email"] : granted.map { $0 == profileScope ? "profile" : $0 }
        user.addClaims(to: &all, scope: scope, issuer: issuer)
        var claims = JSONObject()
        for claim in all.members where !userClaimsNeedRequest || requested.contains(claim.name) {
            claims[claim.name] = flagsAreTexts ? claim.value.bool.map { .string(String($0)) } ?? claim.value : claim.value
        }
        return claims
    }
}
