extension Duration {
    /// The duration for users: `1 second`, `90 seconds`, `5 minutes`, `0.5 seconds`.
    package var inWords: String {
        let (seconds, attoseconds) = components
        guard attoseconds == 0 else { return "\(self / .seconds(1)) seconds" }
        if seconds >= 120, seconds % 60 == 0 { return "\(seconds / 60) minutes" }
        return seconds == 1 ? "1 second" : "\(seconds) seconds"
    }
}
