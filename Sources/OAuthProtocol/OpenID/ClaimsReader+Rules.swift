import AuthHubPrimitives
package import Platform

/// The rules for the registered claims (RFC 7519 §4.1), which are the same for every kind of signed token.
extension ClaimsReader {
    /// - Parameters:
    ///   - expected: The issuer that the token must name, exactly or as a template with the tenant in braces.
    ///   - others: Other issuers that it may name.
    package func checkIssuer(is expected: String, or others: [String] = []) throws(ClaimProblem) {
        let issuer = try text("iss")
        if issuer.hasSameBytes(as: try filledIn(expected)) { return }
        for other in others where issuer.hasSameBytes(as: try filledIn(other)) { return }
        // Not the whole value, which a server could fill with a secret of the request.
        let named = Origin(url: issuer).map { "from \($0)" } ?? "no URL"
        throw ClaimProblem("its iss is \(named), not \(shown(try filledIn(expected)))")
    }

    /// - Parameter recipient: The kind of recipient, such as `client`, for the error.
    package func checkAudience(
        _ audience: [String], contains id: String, called recipient: String = "client"
    ) throws(ClaimProblem) {
        guard audience.contains(where: { $0.hasSameBytes(as: id) }) else {
            throw ClaimProblem("it is for another \(recipient): its aud does not contain \(shown(id))")
        }
    }

    /// OpenID Connect Core 1.0 §3.1.3.7, steps 4 and 5.
    package func checkAuthorizedParty(of audience: [String], is clientID: String) throws(ClaimProblem) {
        guard let party = claims["azp"], party != .null else {
            guard audience.count == 1 else {
                throw ClaimProblem("it is for several clients, and has no azp that says that it was issued to this one")
            }
            return
        }
        guard let party = party.string, party.hasSameBytes(as: clientID) else {
            throw ClaimProblem("it was issued to another client: its azp is not this client's ID")
        }
    }

    /// Checks that the token is valid now.
    ///
    /// - Parameter tolerance: How far the clocks may differ, in seconds.
    func checkTimes(at now: Date, tolerance: Double) throws(ClaimProblem) {
        try checkExpiry(at: now, tolerance: tolerance)
        try checkTimeOfIssue(at: now, tolerance: tolerance)
        try checkStart(at: now, tolerance: tolerance)
    }

    package func checkExpiry(at now: Date, tolerance: Double) throws(ClaimProblem) {
        guard try time("exp") > now.addingTimeInterval(-tolerance) else {
            throw ClaimProblem(
                "it has expired (exp); if it was issued just now, the clock of this machine or of the server is wrong", isAboutTime: true)
        }
    }

    /// A token without `iat` passes.
    package func checkTimeOfIssue(at now: Date, tolerance: Double) throws(ClaimProblem) {
        guard try optionalTime("iat").map({ $0 <= now.addingTimeInterval(tolerance) }) ?? true else {
            throw ClaimProblem(
                "it was issued in the future (iat); the clock of this machine or of the server may be wrong", isAboutTime: true)
        }
    }

    /// A token without `nbf` passes.
    package func checkStart(at now: Date, tolerance: Double) throws(ClaimProblem) {
        guard try optionalTime("nbf").map({ $0 <= now.addingTimeInterval(tolerance) }) ?? true else {
            throw ClaimProblem(
                "it is not valid yet (nbf); the clock of this machine or of the server may be wrong", isAboutTime: true)
        }
    }

    private func shown(_ text: String) -> String { "\"\(displayable(text, limit: 200))\"" }
}
