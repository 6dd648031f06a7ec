import AuthHubPrimitives
import Synchronization

extension ServerState {
    /// Returns a JSON object that describes the user, like Apple's; nil if the client has received one before.
    func firstDescription(of userID: Int, to authorization: AuthorizationRequest) -> String? {
        guard let user = user(id: userID), !authorization.scope.isEmpty,
            sessions.withLock({ $0.isFirstDescription(ofUserID: userID, for: authorization.client.id) })
        else { return nil }
        var members = JSONObject()
        if authorization.scope.contains("name") {
            let parts = user.name.split(separator: " ", maxSplits: 1).map(String.init)
            members["name"] = ["firstName": .string(parts.first ?? user.name), "lastName": .string(parts.count == 2 ? parts[1] : "")]
        }
        if authorization.scope.contains("email") { members["email"] = .string(user.email) }
        return String(decoding: JSONValue.object(members).serialized(), as: UTF8.self)
    }
}
