extension Duration {
    /// Negative durations are none, and none is longer than a hundred years, so that clocks can add them.
    package var clamped: Duration { min(max(self, .zero), .seconds(100 * 365 * 86_400)) }
}
