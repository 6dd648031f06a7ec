/// A model of an authorization server that rotates refresh tokens, and ends the family when one comes back that was replaced.
///
/// Tokens are numbers: number 4 is the access token and the refresh token of one answer.
struct ModelServer {
    struct Issued {
        let family: Int
        /// Which session got it, and in which of its epochs.
        let session: Int
        let epoch: UInt64
        var expiresAt: Int
        var wasStored = false
        /// Nobody here knows it any more: its answer never came, or it was deleted unread.
        var isLost = false
        /// A security check of the client rejected it.
        var isRejected = false
        /// The older number whose access token it has: its own came with an answer that was of no other use.
        var accessToken: Int?
    }

    struct Family {
        var newest: Int
        var isRevoked = false
        /// Something outside took a token from us (an answer was lost, a store did not write), so that reuse is nobody's fault.
        var isExcused = false
        /// The user signed in again, which replaced it.
        var isReplaced = false
    }

    /// By number; the first has number 0.
    private(set) var issued: [Issued] = []
    private(set) var families: [Family] = []

    static let lifetime = 1_000_000

    mutating func exchange(for session: Int, in epoch: UInt64, at now: Int) -> Int {
        families.append(Family(newest: issued.count))
        return issue(families.count - 1, session, epoch, now)
    }

    /// - Returns: The answer, and whether a token came back that had been replaced.
    mutating func refresh(_ number: Int, for session: Int, in epoch: UInt64, at now: Int) -> (answer: ModelJob.Answer, isReuse: Bool) {
        let family = issued[number].family
        if families[family].isRevoked { return (.invalidGrant, false) }
        if families[family].newest != number {
            families[family].isRevoked = true
            return (.invalidGrant, true)
        }
        return (.token(issue(family, session, epoch, now)), false)
    }

    mutating func revoke(familyOf number: Int) { families[issued[number].family].isRevoked = true }

    mutating func excuse(familyOf number: Int) { families[issued[number].family].isExcused = true }

    mutating func replace(familyOf number: Int) { families[issued[number].family].isReplaced = true }

    /// Only the refresh token of a response is kept, with the previous access token.
    mutating func keep(_ number: Int, beside old: Int) {
        issued[number].accessToken = issued[old].accessToken ?? old
        issued[number].expiresAt = issued[old].expiresAt
    }

    mutating func reject(_ number: Int) { issued[number].isRejected = true }

    mutating func lose(_ number: Int) { issued[number].isLost = true }

    mutating func markStored(_ number: Int) { issued[number].wasStored = true }

    private mutating func issue(_ family: Int, _ session: Int, _ epoch: UInt64, _ now: Int) -> Int {
        issued.append(Issued(family: family, session: session, epoch: epoch, expiresAt: now + Self.lifetime))
        families[family].newest = issued.count - 1
        return issued.count - 1
    }
}
