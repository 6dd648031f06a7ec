/// The right to have one request in progress, from a ``Limiter``. It is returned once: when it is released or goes out of scope.
package struct Permit: ~Copyable, Sendable {
    private let limiter: Limiter
    private let key: LimitKey

    init(of limiter: Limiter, for key: LimitKey) {
        self.limiter = limiter
        self.key = key
    }

    deinit {
        limiter.takeBack(key)
    }

    /// Returns the permit to the limiter, which gives it to the next waiting caller. Consuming the value runs the deinitializer, which does
    /// this.
    public consuming func release() {}
}
