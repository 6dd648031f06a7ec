/// The right to have one load under way, from a ``Limiter``. It goes back once: when it is released, or when its owner lets it go.
public struct Permit: ~Copyable, Sendable {
    private let limiter: Limiter
    private let key: LimitKey

    init(of limiter: Limiter, for key: LimitKey) {
        self.limiter = limiter
        self.key = key
    }

    deinit {
        limiter.takeBack(key)
    }

    /// Gives the permit to whoever waits for it. The end of the value does the work.
    public consuming func release() {}
}
