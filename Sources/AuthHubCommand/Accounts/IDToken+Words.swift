import AuthHubPrimitives
import OAuthProtocol

extension IDToken {
    /// The user, in words: `Jane Doe (user ID 248289761001 at https://login.example)`.
    var words: String {
        let identifier = "user ID \(escaped(subject, limit: 255)) at \(escaped(issuer, limit: 200))"
        return displayName == displayable(subject, limit: 200) ? identifier : "\(displayName) (\(identifier))"
    }

    /// The output for `-o json`.
    var summary: JSONValue {
        ["issuer": .string(issuer), "subject": .string(subject), "name": (claims["name"]?.string).map(JSONValue.string) ?? .null]
    }
}
