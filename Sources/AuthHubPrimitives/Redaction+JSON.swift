extension Redaction {
    /// Returns the JSON value without the secrets, in strings and member names.
    package func applied(to value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(appliedIgnoringInvisible(text))
        case .repairedString(let text): .repairedString(appliedIgnoringInvisible(text))
        case .array(let values): .array(values.map(applied))
        case .object(let object): .object(applied(to: object))
        case .null, .bool, .number: value
        }
    }

    /// Returns the object without the secrets, in strings and member names.
    package func applied(to object: JSONObject) -> JSONObject {
        JSONObject(object.members.lazy.map { (appliedIgnoringInvisible($0.name), applied(to: $0.value)) })
    }

    /// Returns the text without the secrets, even if invisible characters separate parts of a secret. A text without secrets keeps all its
    /// characters.
    package func appliedIgnoringInvisible(_ text: String) -> String {
        let visible = displayable(text, limit: .max)
        let redacted = applied(to: visible)
        return redacted.hasSameBytes(as: visible) ? text : redacted
    }
}
