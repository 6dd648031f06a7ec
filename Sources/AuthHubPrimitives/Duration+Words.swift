extension Duration {
    /// The duration for users, rounded: `1 second`, `90 seconds`, `5 minutes`, `0.5 seconds`.
    package var inWords: String {
        let exact = self / .seconds(1)
        let rounded = exact < 10 ? (exact * 100).rounded() / 100 : exact.rounded()
        guard let seconds = Int64(exactly: rounded) else { return "\(rounded) seconds" }
        if seconds >= 120, seconds % 60 == 0 { return "\(seconds / 60) minutes" }
        return seconds == 1 ? "1 second" : "\(seconds) seconds"
    }
}
