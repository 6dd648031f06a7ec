import AuthHubPrimitives
import Platform

/// The users who are signed in, by browser, and their earlier consents.
struct SessionBook: Sendable {
    struct Session: Sendable {
        /// The token in every form, so that no other page can send one on behalf of this browser.
        let formToken = Secret(Base64URL.encode(randomBytes(count: 24)))
        var signIn: SignIn?
    }

    struct SignIn: Sendable {
        /// The `sid` claim of ID tokens. It is not the session cookie, which is a secret.
        let sessionID = Base64URL.encode(randomBytes(count: 16))
        let userID: Int
        let at: Date
    }

    private struct Agreement: Hashable {
        let userID: Int
        let clientID: String
    }

    private var sessions = LimitedTable<Secret<String>, Session>(limit: 10_000)
    private var agreements: [Agreement: Set<String>] = [:]
    private var descriptions: Set<Agreement> = []
    /// The clients to which users have signed in, by the `sid` of the session.
    private var clients = LimitedTable<String, [String]>(limit: 10_000)
}

extension SessionBook {
    subscript(id: String) -> Session? { sessions[Secret(id)] }

    /// Opens a new session without a user.
    mutating func open() -> (id: String, session: Session) {
        let id = Self.randomID()
        let session = Session()
        sessions[Secret(id)] = session
        return (id, session)
    }

    /// Signs a user in with a new session ID, because others may know the old one (session fixation).
    mutating func signIn(userID: Int, replacing old: String, at now: Date) -> String {
        sessions[Secret(old)] = nil
        let id = Self.randomID()
        sessions[Secret(id)] = Session(signIn: SignIn(userID: userID, at: now))
        return id
    }

    mutating func close(_ id: String) {
        sessions[Secret(id)] = nil
    }

    /// Notes that the user has signed in to a client.
    mutating func remember(_ clientID: String, in signIn: SignIn) {
        let known = clients[signIn.sessionID] ?? []
        if !known.contains(clientID) { clients[signIn.sessionID] = known + [clientID] }
    }

    /// Returns the clients to which the user has signed in, in order.
    func clients(of signIn: SignIn) -> [String] { clients[signIn.sessionID] ?? [] }

    /// Records a consent. The users and clients are fixed at the start, so there are never more consents than pairs of them.
    mutating func remember(userID: Int, agreedTo scope: [String], for clientID: String) {
        agreements[Agreement(userID: userID, clientID: clientID), default: []].formUnion(scope)
    }

    func hasAgreed(userID: Int, to scope: [String], for clientID: String) -> Bool {
        agreements[Agreement(userID: userID, clientID: clientID)]?.isSuperset(of: scope) ?? false
    }

    /// Removes the consent of a revoked grant: the user is asked again.
    mutating func forgetAgreement(userID: Int, clientID: String) {
        agreements[Agreement(userID: userID, clientID: clientID)] = nil
    }

    /// Returns whether the client has not received a description of this user before, and records that it has.
    mutating func isFirstDescription(ofUserID userID: Int, for clientID: String) -> Bool {
        descriptions.insert(Agreement(userID: userID, clientID: clientID)).inserted
    }

    private static func randomID() -> String {
        Base64URL.encode(randomBytes(count: 24))
    }
}
