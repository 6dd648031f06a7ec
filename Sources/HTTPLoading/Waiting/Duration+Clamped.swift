extension Duration {
    /// The duration, at least zero and at most a hundred years, so that clocks can add it.
    package var clamped: Duration { min(max(self, .zero), .seconds(100 * 365 * 86_400)) }
}
