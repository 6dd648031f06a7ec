extension Redaction {
    /// The JSON value without the secrets, in strings and in names of members.
    package func applied(to value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(appliedIgnoringInvisible(text))
        case .array(let values): .array(values.map(applied))
        case .object(let object): .object(applied(to: object))
        case .null, .bool, .number: value
        }
    }

    /// The object without the secrets, in strings and in names of members.
    package func applied(to object: JSONObject) -> JSONObject {
        var redacted = JSONObject()
        for member in object.members { redacted[appliedIgnoringInvisible(member.name)] = applied(to: member.value) }
        return redacted
    }

    /// The text without the secrets, even if invisible characters pull one apart; a text without secrets keeps all its characters.
    package func appliedIgnoringInvisible(_ text: String) -> String {
        let visible = displayable(text, limit: .max)
        let redacted = applied(to: visible)
        return redacted.hasSameBytes(as: visible) ? text : redacted
    }
}
