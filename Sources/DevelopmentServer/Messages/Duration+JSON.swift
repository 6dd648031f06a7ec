import AuthHubPrimitives

extension Duration {
    /// The duration in seconds, as an integer if it is a whole number.
    var inSeconds: JSONValue {
        let (seconds, rest) = components
        return .number(rest == 0 ? JSONNumber(seconds) : JSONNumber(text: String(self / .seconds(1))))
    }
}
