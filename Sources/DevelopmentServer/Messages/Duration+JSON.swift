import AuthHubPrimitives

extension Duration {
    /// A whole number where it is one.
    var inSeconds: JSONValue {
        let (seconds, rest) = components
        return .number(rest == 0 ? JSONNumber(seconds) : JSONNumber(text: String(self / .seconds(1))))
    }
}
