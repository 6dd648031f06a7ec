import AuthHubPrimitives

extension JSONValue {
    /// Returns the value with the issuer instead of `{issuer}` in all its strings.
    func naming(_ issuer: String) -> Self {
        switch self {
        case .string(let text): .string(text.replacing("{issuer}", with: issuer))
        case .array(let values): .array(values.map { $0.naming(issuer) })
        case .object(let object):
            .object(
                object.members.reduce(into: JSONObject()) { changed, member in changed[member.name] = member.value.naming(issuer) })
        case .repairedString, .null, .bool, .number: self
        }
    }
}
