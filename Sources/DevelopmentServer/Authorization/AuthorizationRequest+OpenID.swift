import Platform
import Synchronization

extension AuthorizationRequest {
    /// Returns whether an earlier sign-in is recent enough (OpenID Connect Core 1.0 §3.1.2.1).
    func accepts(_ signIn: SessionBook.SignIn, at now: Date) -> Bool {
        maximumAge.map { now.timeIntervalSince(signIn.at) <= Double($0) } ?? true
    }
}

extension ServerState {
    /// Returns the first requested class that the server knows, or its default.
    func contextClass(requested: [String]) -> String? {
        let known = openIDConnect.withLock { $0.contextClasses }
        return requested.first(where: known.contains) ?? known.first
    }
}
