public import AuthHubPrimitives

/// The claims about the signed-in user that the server's UserInfo endpoint returned (OpenID Connect Core 1.0 §5.3).
public struct UserInfo: Sendable, Hashable {
    /// The user's identifier at the issuer (`sub`), which is the same as in the ID token.
    public let subject: String
    /// All claims. A standard claim that has the wrong type is missing.
    public let claims: JSONObject
    /// The irregularities of the accepted response, as log messages that contain none of its values.
    package let irregularities: [String]

    init(subject: String, members: JSONObject) {
        self.subject = subject
        (claims, irregularities) = StandardClaim.cleaned(members)
    }
}

/// A claim of OpenID Connect Core 1.0 §5.1.
enum StandardClaim {
    private static let texts: Set<String> = [
        "name", "given_name", "family_name", "middle_name", "nickname", "preferred_username", "profile", "picture", "website", "email",
        "gender", "birthdate", "zoneinfo", "locale", "phone_number",
    ]
    private static let flags: Set<String> = ["email_verified", "phone_number_verified"]

    /// Removes standard claims of the wrong type. A flag may also be the string `true` or `false`, as some providers send it.
    static func cleaned(_ members: JSONObject) -> (claims: JSONObject, irregularities: [String]) {
        var claims = members
        var irregularities: [String] = []
        for member in members.members {
            let name = member.name
            let isUsable: Bool
            switch member.value {
            case .null: isUsable = true
            case .string(let text) where flags.contains(name):
                isUsable = text == "true" || text == "false"
                if isUsable { claims[name] = .bool(text == "true") }
            case let value where texts.contains(name): isUsable = value.displayString != nil
            case let value where flags.contains(name): isUsable = value.bool != nil
            case let value where name == "address": isUsable = value.object != nil
            case let value where name == "updated_at": isUsable = value.number != nil
            default: isUsable = true
            }
            guard !isUsable else { continue }
            claims[name] = nil
            irregularities.append("the claim \(name) has the wrong type; it was ignored")
        }
        return (claims, irregularities)
    }
}
