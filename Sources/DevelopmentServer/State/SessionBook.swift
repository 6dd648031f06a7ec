import AuthHubPrimitives

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Who is signed in with which browser, and what people agreed to before.
struct SessionBook: Sendable {
    struct Session: Sendable {
        /// Goes into every form, so that no other page can send one in this browser's name.
        let formToken = Secret(Base64URL.encode(randomBytes(count: 24)))
        var signIn: SignIn?
    }

    struct SignIn: Sendable {
        let userID: Int
        let at: Date
    }

    private struct Agreement: Hashable {
        let userID: Int
        let clientID: String
    }

    private var sessions = LimitedTable<Secret<String>, Session>(limit: 10_000)
    private var agreements: [Agreement: Set<String>] = [:]
}

extension SessionBook {
    subscript(id: String) -> Session? { sessions[Secret(id)] }

    /// A new session that nobody is signed in with yet.
    mutating func open() -> (id: String, session: Session) {
        let id = Self.randomID()
        let session = Session()
        sessions[Secret(id)] = session
        return (id, session)
    }

    /// Signs a person in under a new id, because the old one may be known to others (session fixation).
    mutating func signIn(userID: Int, replacing old: String, at now: Date) -> String {
        sessions[Secret(old)] = nil
        let id = Self.randomID()
        sessions[Secret(id)] = Session(signIn: SignIn(userID: userID, at: now))
        return id
    }

    mutating func close(_ id: String) {
        sessions[Secret(id)] = nil
    }

    /// Users and clients are given at the start, so that there are never more agreements than pairs of them.
    mutating func remember(userID: Int, agreedTo scope: [String], for clientID: String) {
        agreements[Agreement(userID: userID, clientID: clientID), default: []].formUnion(scope)
    }

    func hasAgreed(userID: Int, to scope: [String], for clientID: String) -> Bool {
        agreements[Agreement(userID: userID, clientID: clientID)]?.isSuperset(of: scope) ?? false
    }

    /// What a revoked grant takes with it: the person is asked again.
    mutating func forgetAgreement(userID: Int, clientID: String) {
        agreements[Agreement(userID: userID, clientID: clientID)] = nil
    }

    private static func randomID() -> String {
        Base64URL.encode(randomBytes(count: 24))
    }
}
