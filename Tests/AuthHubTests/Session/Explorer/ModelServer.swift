/// A model of an authorization server that rotates refresh tokens, and revokes the token family when a replaced token is used again.
///
/// Tokens are numbers: number 4 is the access token and the refresh token of one response.
struct ModelServer {
    struct Issued {
        let family: Int
        /// The session that received the tokens, and the session's epoch at that time.
        let session: Int
        let epoch: UInt64
        var expiresAt: Int
        var wasStored = false
        /// Whether no client knows the tokens any more: the response never arrived, or the tokens were deleted without having been read.
        var isLost = false
        /// Whether a security check of the client rejected the tokens.
        var isRejected = false
        /// Whether the server never accepts the refresh token that the client read.
        var isVoid = false
        /// The older refresh token to try if the server does not accept this one.
        var other: Int?
        /// The number of the older access token that is used, because the response was unusable apart from its refresh token.
        var accessToken: Int?
    }

    struct Family {
        var newest: Int
        var isRevoked = false
        /// Whether an external fault took a token from the client (a response was lost, or a write failed), so that reuse is not the
        /// client's error.
        var isExcused = false
        /// Whether the family was replaced because the user signed in again.
        var isReplaced = false
    }

    /// The issued tokens by number, starting with 0.
    private(set) var issued: [Issued] = []
    private(set) var families: [Family] = []

    static let lifetime = 1_000_000

    mutating func exchange(for session: Int, in epoch: UInt64, at now: Int) -> Int {
        families.append(Family(newest: issued.count))
        return issue(families.count - 1, session, epoch, now)
    }

    /// - Returns: The response, and whether a replaced token was used.
    mutating func refresh(_ number: Int, for session: Int, in epoch: UInt64, at now: Int) -> (answer: ModelJob.Answer, isReuse: Bool) {
        let family = issued[number].family
        if families[family].isRevoked || issued[number].isVoid { return (.invalidGrant, false) }
        if families[family].newest != number {
            families[family].isRevoked = true
            return (.invalidGrant, true)
        }
        return (.token(issue(family, session, epoch, now)), false)
    }

    mutating func revoke(familyOf number: Int) { families[issued[number].family].isRevoked = true }

    mutating func excuse(familyOf number: Int) { families[issued[number].family].isExcused = true }

    mutating func replace(familyOf number: Int) { families[issued[number].family].isReplaced = true }

    /// The number of the access token of a credential.
    func accessToken(of number: Int) -> Int { issued[number].accessToken ?? number }

    /// Records that only the refresh token of a response is stored, together with the previous access token.
    ///
    /// - Parameter sent: The refresh token that was sent.
    mutating func keep(_ number: Int, beside old: Int, sent: Int) {
        issued[number].other = sent
        issued[number].accessToken = issued[old].accessToken ?? old
        issued[number].expiresAt = issued[old].expiresAt
    }

    /// Records that the server has not replaced the refresh token, and that the response names another one.
    mutating func void(_ number: Int, keeping sent: Int) {
        issued[number].isVoid = true
        families[issued[number].family].newest = sent
    }

    mutating func reject(_ number: Int) { issued[number].isRejected = true }

    /// Records that a credential is lost, with both of its refresh tokens.
    mutating func lose(_ number: Int) {
        issued[number].isLost = true
        if let other = issued[number].other { issued[other].isLost = true }
    }

    mutating func markStored(_ number: Int) { issued[number].wasStored = true }

    private mutating func issue(_ family: Int, _ session: Int, _ epoch: UInt64, _ now: Int) -> Int {
        issued.append(Issued(family: family, session: session, epoch: epoch, expiresAt: now + Self.lifetime))
        families[family].newest = issued.count - 1
        return issued.count - 1
    }
}
